/// The filter of a section, made at its first use. Most sections never need a filter.
final class LateFilter: Sendable {
    private let filter = LateReference<SectionFilter>()

    func value(of section: Section) -> SectionFilter { filter.load() ?? filter.storeIfNil(SectionFilter(section)) }
}
