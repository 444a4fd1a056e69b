import Synchronization

/// The filter of a section, made at its second use. Most sections never need a filter.
///
/// Making a filter takes longer than looking at all shelves once, so a list that changes only once has none (benchmark
/// `list-first.us`).
///
/// State: atomic, written at the first two uses.
final class LateFilter: Sendable {
    private let filter = LateReference<SectionFilter>()
    private let wasUsed = Atomic(false)

    /// Returns the filter; nil at the first use.
    func value(of section: Section) -> SectionFilter? {
        if let made = filter.load() { return made }
        guard wasUsed.exchange(true, ordering: .relaxed) else { return nil }
        return filter.storeIfNil(SectionFilter(section))
    }
}
