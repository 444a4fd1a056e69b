/// The filter of a section, which is made when it is first asked for. Most sections are never asked.
final class LateFilter: Sendable {
    private let filter = LateReference<SectionFilter>()

    func value(of section: Section) -> SectionFilter { filter.load() ?? filter.storeIfNil(SectionFilter(section)) }
}
