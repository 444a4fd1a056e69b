/// The pages of those connections of which one operation asks for several pages.
///
/// The rule: the pages of one connection are merged in the order of the document, as those of a response that comes as a
/// whole. A page waits until every page before it has come completely, at the latest until the response ends. A page
/// before it is one at a place that the response has reached, in a part that may still come.
struct LaterPages: Sendable {
    typealias Fragment = IncrementalPlaces.LaterFragment

    private struct Connection: Hashable {
        let record: RecordID
        let key: StorageKeyID
    }

    struct Page: Sendable {
        let source: StorageKeyID
        /// The position among all work.
        let order: Int
        /// The later fragments that may bring the page.
        fileprivate(set) var fragments: Set<Fragment> = []
        /// The number of its work, once it has come.
        fileprivate(set) var work: Int?
        /// The records of the page, its edges and its page info.
        fileprivate(set) var records: Set<RecordID> = []
    }

    /// The keys of the connections of which the operation asks for several pages; nearly always none.
    private let keys: Set<StorageKeyID>
    private var pages: [Connection: [Page]] = [:]
    private var connections: [Int: Connection] = [:]
    /// The later fragments that may write a record.
    private var fragments: [RecordID: Set<Fragment>] = [:]
    /// The records with a list whose items arrive later.
    private var growing: Set<RecordID> = []
    /// The fragments of which nothing more will come.
    private var ended: Set<Fragment> = []

    init(_ plan: BoundPlan) {
        var sources: [StorageKeyID: Set<StorageKeyID>] = [:]
        for marks in plan.marks.values {
            guard let handle = marks.handle, handle.name == HandledCall.connection else { continue }
            sources[handle.storageKey, default: []].insert(handle.source)
        }
        keys = Set(sources.lazy.filter { $1.count > 1 }.map(\.key))
    }

    var isNeeded: Bool { !keys.isEmpty }

    /// Returns the handle of such a page; nil for other work.
    func handle(_ work: FieldWork) -> BoundMarks.Handle? {
        guard case .copy(let handle) = work, handle.name == HandledCall.connection, keys.contains(handle.storageKey)
        else { return nil }
        return handle
    }

    // MARK: - Noting

    /// Notes a page that has come, or may come with a fragment. Returns its position among all work, which is `order`
    /// for a page that was not known.
    mutating func note(
        _ handle: BoundMarks.Handle, of record: RecordID, in fragment: Fragment?, as work: Int?, order: Int
    ) -> Int {
        let connection = Connection(record: record, key: handle.storageKey)
        var all = pages[connection] ?? []
        let index = all.firstIndex { $0.source == handle.source } ?? all.count
        if index == all.count { all.append(Page(source: handle.source, order: order)) }
        if let fragment { all[index].fragments.insert(fragment) }
        if let work {
            all[index].work = work
            connections[work] = connection
        }
        pages[connection] = all
        return all[index].order
    }

    /// Notes that a record belongs to a page.
    mutating func note(_ record: RecordID, ofPage work: Int) {
        guard let connection = connections[work], let index = pages[connection]?.firstIndex(where: { $0.work == work })
        else { return }
        pages[connection]?[index].records.insert(record)
    }

    /// Notes that a fragment may write a record.
    mutating func note(_ fragment: Fragment, at record: RecordID) { fragments[record, default: []].insert(fragment) }

    /// Notes that a list of a record has items that arrive later.
    mutating func noteStream(of record: RecordID) { growing.insert(record) }

    /// Notes that nothing more of a fragment will come.
    mutating func noteEnd(of fragment: Fragment) { ended.insert(fragment) }

    // MARK: - Asking

    /// Returns the pages of the connection that has the page of some work; empty if it is the only one.
    func together(with work: Int) -> [Page] { connections[work].flatMap { pages[$0] } ?? [] }

    /// Returns true if nothing will be written to the records of a page any more.
    func isComplete(_ page: Page) -> Bool {
        page.records.allSatisfy { record in
            !growing.contains(record) && fragments[record].map(ended.isSuperset) ?? true
        }
    }

    /// Returns true if a page has not come and will not come.
    func isGone(_ page: Page) -> Bool { page.work == nil && ended.isSuperset(of: page.fragments) }
}
