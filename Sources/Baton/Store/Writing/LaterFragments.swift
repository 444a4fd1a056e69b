/// The deferred fragments of a response that arrives in parts, as ``LaterWorks`` follows them: what waits for their
/// end, and which of their fields are still missing.
struct LaterFragments: Sendable {
    typealias Fragment = LaterWorks.Fragment

    private struct Gap: Hashable {
        let record: RecordID
        let node: Int
    }

    /// The work that waits for the end of fragments.
    private var waiting: [Fragment: [Int]] = [:]
    private var failed: Set<Fragment> = []
    /// The fragments that the current payload has brought something of.
    private var seen: Set<Fragment> = []
    /// The selection sets of fragments of which fields were missing when they were last seen.
    private var gaps: [Fragment: Set<Gap>] = [:]

    /// Notes that work waits for the end of a fragment.
    mutating func await(_ fragment: Fragment, for work: Int) { waiting[fragment, default: []].append(work) }

    /// Notes that the payload has brought something of a fragment: of a selection set at a record.
    mutating func see(_ fragment: Fragment, _ node: Int, at record: RecordID, hasGap: Bool) {
        seen.insert(fragment)
        let gap = Gap(record: record, node: node)
        if hasGap { gaps[fragment, default: []].insert(gap) } else { gaps[fragment]?.remove(gap) }
    }

    /// Returns the seen fragments of which no field is missing any more, and forgets which were seen.
    mutating func takeWhole() -> [Fragment] {
        defer { seen = [] }
        return seen.filter { gaps[$0]?.isEmpty ?? true }
    }

    /// Ends a fragment; returns the work that has waited for it.
    mutating func end(_ fragment: Fragment) -> [Int] { waiting.removeValue(forKey: fragment) ?? [] }

    /// Notes that a fragment does not come.
    mutating func fail(_ fragment: Fragment) { failed.insert(fragment) }

    func haveAllFailed(_ fragments: Set<Fragment>) -> Bool { fragments.isSubset(of: failed) }
}
