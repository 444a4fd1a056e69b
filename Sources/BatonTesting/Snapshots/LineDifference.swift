/// The difference of two texts as a person reads it: changed lines with some lines around them.
struct LineDifference {
    private enum Line {
        case same(String)
        case old(String)
        case new(String)

        var isSame: Bool { if case .same = self { true } else { false } }

        var text: String {
            switch self {
            case .same(let text): text.isEmpty ? "" : " " + text
            case .old(let text): "-" + text
            case .new(let text): "+" + text
            }
        }
    }

    private let lines: [Line]

    /// More lines than these that differ are not compared with each other.
    private static let mostCompared = 2_000

    init(from old: [String], to new: [String]) {
        var first = 0
        while first < min(old.count, new.count), old[first] == new[first] { first += 1 }
        var last = 0
        while last < min(old.count, new.count) - first, old[old.count - 1 - last] == new[new.count - 1 - last] {
            last += 1
        }
        let (left, right) = (Array(old[first..<old.count - last]), Array(new[first..<new.count - last]))
        lines =
            old[..<first].map { .same($0) } + Self.compare(left, right) + old[(old.count - last)...].map { .same($0) }
    }

    private static func compare(_ old: [String], _ new: [String]) -> [Line] {
        guard max(old.count, new.count) <= mostCompared else { return old.map { .old($0) } + new.map { .new($0) } }
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left) {
                lines.append(.old(old[left]))
                left += 1
            } else if inserted.contains(right) {
                lines.append(.new(new[right]))
                right += 1
            } else {
                lines.append(.same(old[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        return lines
    }

    /// The difference in the unified form, with `context` lines around each change and at most `limit` lines; nil if
    /// there is none.
    func text(context: Int = 3, limit: Int = 60) -> String? {
        let changes = lines.indices.filter { !lines[$0].isSame }
        guard !changes.isEmpty else { return nil }
        var hunks: [Range<Int>] = []
        for change in changes {
            let hunk = max(0, change - context)..<min(lines.count, change + context + 1)
            if let last = hunks.last, last.upperBound >= hunk.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<hunk.upperBound
            } else {
                hunks.append(hunk)
            }
        }
        let shown = hunks.flatMap { hunk in [heading(of: hunk)] + lines[hunk].map(\.text) }
        guard shown.count > limit else { return shown.joined(separator: "\n") }
        let rest = shown.count - limit
        return (shown.prefix(limit) + ["... and \(rest) more lines"]).joined(separator: "\n")
    }

    /// The places of a hunk in both texts: first line and number of lines.
    private func heading(of hunk: Range<Int>) -> String {
        func place(_ isPart: (Line) -> Bool) -> String {
            let (before, inside) = (lines[..<hunk.lowerBound].count(where: isPart), lines[hunk].count(where: isPart))
            return inside == 0 ? "\(before),0" : "\(before + 1),\(inside)"
        }
        let old = place { if case .new = $0 { false } else { true } }
        let new = place { if case .old = $0 { false } else { true } }
        return "@@ -\(old) +\(new) @@"
    }
}
