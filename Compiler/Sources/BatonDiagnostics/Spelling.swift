import BatonText

/// Finds the names that a misspelled name may mean, as ``NearestNames`` does, within a budget.
package enum Spelling {
    /// The names nearest to the written one; none if the budget is spent.
    package static func suggestions<Names: Sequence<String>>(
        for written: String,
        among names: @autoclosure () -> Names
    ) -> [String] {
        if budget?.isSpent == true { return [] }
        var nearest = NearestNames(to: written)
        var count = 0
        defer { budget?.spend(count) }
        for name in names() {
            count += 1
            nearest.add(name)
        }
        return nearest.names
    }

    /// A question such as "did you mean 'a', 'b' or 'c'?", or nil without suggestions.
    package static func question<Names: Sequence<String>>(
        for written: String,
        among names: @autoclosure () -> Names
    ) -> String? {
        question(naming: suggestions(for: written, among: names()))
    }

    /// A question such as "did you mean 'a', 'b' or 'c'?" about the given names; nil without names.
    package static func question(naming names: [String]) -> String? {
        let quoted = names.map { "'\($0)'" }
        guard let last = quoted.last else { return nil }
        let others = quoted.dropLast().joined(separator: ", ")
        return others.isEmpty ? "did you mean \(last)?" : "did you mean \(others) or \(last)?"
    }

    /// The only suggestion, if it differs in one letter and is therefore certain.
    package static func certain(for written: String, among suggestions: [String]) -> String? {
        guard let name = suggestions.first, suggestions.count == 1, written.utf8.count > 2 else { return nil }
        return NearestNames.areAlmostEqual(written, name) ? name : nil
    }
}
