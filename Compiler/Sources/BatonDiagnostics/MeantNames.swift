/// Matches the unknown names of one place with defined names, so that a misspelled name is not also reported as
/// missing.
///
/// Names that are given already are no candidates. An unknown name without a similar name is matched with the missing
/// name if exactly one name is missing.
package struct MeantNames {
    private let defined: [String]
    /// The required names that are neither given nor matched with an unknown name.
    package private(set) var missing: [String]

    /// Starts with the defined names, the given names, and the required names that are not given.
    package init(defined: [String], given: [String], missing: [String]) {
        let given = Set(given)
        self.defined = defined.filter { !given.contains($0) }
        self.missing = missing
    }

    /// The names that an unknown name probably means, nearest first. The first of these names that is missing counts as
    /// given afterwards.
    package mutating func names(for unknown: String) -> [String] {
        var names = Spelling.suggestions(for: unknown, among: defined)
        if names.isEmpty, missing.count == 1 { names = missing }
        if let meant = names.first(where: missing.contains) { missing.removeAll { $0 == meant } }
        return names
    }
}
