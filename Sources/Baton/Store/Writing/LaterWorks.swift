/// The work for the handled fields of a response that arrives in parts: pages of connections, handlers of the
/// application, and directives that change connections or records.
///
/// The rule: work is done when its field has arrived. It is continued when a later payload writes data that concerns
/// it, whichever fragment the payload belongs to. If only deferred fragments select the field, the field has arrived
/// when the first of these fragments is complete. Before that, the response may have brought parts of the field for
/// other selections. Work that is left at the end of the response is done then, unless its fragment has failed.
///
/// The data that concerns work depends on the work. For a connection it is the page with its edges and its page info.
/// For a directive such as `@appendEdge` it is the edge or node. For a handler of the application it is the data that
/// the newest run of the handler has read.
struct LaterWorks: Sendable {
    typealias Fragment = IncrementalPlaces.LaterFragment

    /// A piece of work that must be continued when a payload writes to a record.
    struct Reach: Sendable {
        let work: Int
        /// The number of levels below the record that concern the work too.
        let depth: Int

        /// The reach of the work one level below; nil if data there does not concern the work.
        var below: Reach? { depth == 0 ? nil : Reach(work: work, depth: depth - 1) }
    }

    private struct Key: Hashable {
        enum Field: Hashable {
            case copy(of: StorageKeyID, to: StorageKeyID)
            case mutation(BoundMarks.Mutation)
        }

        let record: RecordID
        let field: Field

        init(_ record: RecordID, _ work: FieldWork) {
            self.record = record
            switch work {
            case .copy(let handle): field = .copy(of: handle.source, to: handle.storageKey)
            case .mutation(let mutation): field = .mutation(mutation)
            }
        }
    }

    private struct Work: Sendable {
        let record: RecordID
        let work: FieldWork
        let progress: WorkProgress
        /// The deferred fragments that select the field, as long as no other part has brought the field.
        var fragments: Set<Fragment> = []
        /// True once the field has arrived.
        var isFree = false
        /// The position among all work: inner fields before outer ones.
        var order = Int.max

        var isOfApplication: Bool {
            if case .copy(let handle) = work { handle.name != HandledCall.connection } else { false }
        }

        var isPage: Bool {
            if case .copy(let handle) = work { handle.name == HandledCall.connection } else { false }
        }
    }

    /// True if the plan has handled fields.
    let isNeeded: Bool
    /// The pages that wait for others.
    var pages: LaterPages
    private var works: [Work] = []
    private var numbers: [Key: Int] = [:]
    private var orders = 0
    private var reaches: [RecordID: [Reach]] = [:]
    /// What handlers of the application have read.
    private var reads = HandlerReads()
    /// The fragments that later payloads bring.
    private var fragments = LaterFragments()
    /// The pages that can be merged once the pages before them are.
    private var laterPages: Set<Int> = []
    /// The work that the current payload has made possible or has to do again.
    private var due: Set<Int> = []
    private let arriving: ArrivingPlaces

    init(_ plan: BoundPlan, _ arriving: ArrivingPlaces) {
        self.arriving = arriving
        isNeeded = plan.marks.values.contains { $0.handle != nil || $0.mutation != nil }
        pages = LaterPages(plan)
    }

    /// Returns the calls without repetitions. A response may have a field of a record at several places, but the record
    /// has the field once. So the field's page is merged once, and its edges are added once.
    static func distinct(_ calls: [HandledCall]) -> [HandledCall] {
        if calls.count < 2 { return calls }
        var seen: Set<Key> = []
        return calls.filter { seen.insert(Key($0.record, $0.work)).inserted }
    }

    // MARK: - Noting

    /// Notes that a response has brought a handled field at a place; returns the number of its work.
    mutating func enter(
        _ work: FieldWork, of record: RecordID, at place: LaterPages.Path?, in fragment: Fragment?
    ) -> Int {
        let key = Key(record, work)
        let number = numbers[key] ?? works.count
        if number == works.count {
            numbers[key] = number
            works.append(Work(record: record, work: work, progress: WorkProgress(filling: arriving)))
        }
        if pages.isNeeded, let handle = pages.handle(work) {
            pages.note(handle, of: record, at: place, in: fragment, as: number)
        }
        if let fragment {
            if !works[number].isFree, works[number].fragments.insert(fragment).inserted {
                fragments.await(fragment, for: number)
            }
        } else {
            free(number)
        }
        return number
    }

    /// Notes the pages that a later fragment may bring at a place, of connections of which the operation asks for
    /// several pages.
    mutating func expect(
        _ works: [FieldWork], of record: RecordID, at place: LaterPages.Path, in fragment: Fragment?
    ) {
        for work in works {
            guard let handle = pages.handle(work) else { continue }
            pages.note(handle, of: record, at: place, in: fragment, as: numbers[Key(record, work)])
        }
    }

    /// Gives work its place after all work that was given one before.
    mutating func order(_ number: Int) {
        guard works[number].order == .max else { return }
        works[number].order = orders
        orders += 1
    }

    /// Notes that data of a record concerns work.
    mutating func note(_ reach: Reach, at record: RecordID) {
        var all = reaches[record] ?? []
        if let index = all.firstIndex(where: { $0.work == reach.work }) {
            guard all[index].depth < reach.depth else { return }
            all[index] = reach
        } else {
            all.append(reach)
        }
        reaches[record] = all
        if pages.isNeeded { pages.note(record, ofPage: reach.work) }
    }

    /// The work that data of a record concerns.
    func reaches(at record: RecordID) -> [Reach] { reaches.isEmpty ? [] : reaches[record] ?? [] }

    /// Returns the reach of work at and below the value of its field; nil for a handler of the application.
    func reach(_ number: Int) -> Reach? {
        if works[number].isOfApplication { return nil }
        if case .mutation = works[number].work { return Reach(work: number, depth: 0) }
        return Reach(work: number, depth: 1)
    }

    private mutating func free(_ number: Int) {
        works[number].isFree = true
        if pages.isNeeded, pages.handle(works[number].work) != nil { laterPages.insert(number) }
        works[number].fragments = []
        due.insert(number)
    }

    /// Notes that the field of work has grown.
    mutating func grow(_ number: Int) { if works[number].isFree { due.insert(number) } }

    /// Notes that the payload has brought something of a fragment: of a selection set at a record.
    mutating func see(_ fragment: Fragment, _ node: Int, at record: RecordID, hasGap: Bool) {
        fragments.see(fragment, node, at: record, hasGap: hasGap)
    }

    // MARK: - Fragments

    /// Notes that a fragment has arrived completely.
    mutating func end(of fragment: Fragment) {
        if pages.isNeeded { pages.noteEnd(of: fragment) }
        for number in fragments.end(fragment) where !works[number].isFree { free(number) }
    }

    /// Notes that a fragment does not come.
    mutating func fail(_ fragment: Fragment) {
        fragments.fail(fragment)
        if pages.isNeeded { pages.noteEnd(of: fragment) }
    }

    /// Ends the fragments of which the payload has brought the last missing field, except those that the server has
    /// announced: a server may send a fragment at once although it could come later.
    mutating func endWholeFragments(except open: Set<Fragment>) {
        for fragment in fragments.takeWhole() where !open.contains(fragment) { end(of: fragment) }
    }

    // MARK: - Doing

    /// Returns the work that the current payload has to do, in its order.
    ///
    /// - Parameters:
    ///   - first: The work that was found while the beginning of the response was read; empty for later payloads.
    ///   - isLast: True for the last payload of the response.
    mutating func calls(
        _ first: [HandledCall], _ staged: StagedRecords, over base: Records, _ names: NameTable, payload: Int,
        isLast: Bool
    ) -> [HandledCall] {
        guard isNeeded else { return [] }
        var written: [Int: [RecordID: Shape]] = [:]
        func note(_ record: RecordID, _ shape: @autoclosure () -> Shape, at position: Int?) {
            guard let reaches = reaches[record] else { return }
            for reach in reaches {
                written[reach.work, default: [:]][record] = shape()
                if let below = reach.below { noteLinks(of: record, at: position, staged, over: base, below) }
            }
        }
        if !reaches.isEmpty {
            for record in staged.confirmed { note(record, base.shape(of: record), at: nil) }
            for position in staged.entries.indices {
                note(staged.entries[position].record, staged.shape(position), at: position)
            }
        }
        // A page notes what has come of it before it may be merged.
        for number in written.keys where works[number].isFree || works[number].isPage { due.insert(number) }
        for number in reads.takeRun() {
            if let new = works[number].progress.takeReads() { reads.set(new, of: number, names) }
        }
        due.formUnion(reads.readers(of: staged, over: base))
        if isLast { addRest(payload) }
        if pages.isNeeded { addPages(payload) }
        var order: [Int] = []
        for call in first {
            let number = numbers[Key(call.record, call.work)] ?? enter(call.work, of: call.record, at: nil, in: nil)
            if due.remove(number) != nil { order.append(number) }
        }
        order += due.sorted { (works[$0].order, $0) < (works[$1].order, $1) }
        due = []
        if pages.isNeeded { order = pages.inOrder(order) }
        return order.map { number in
            let work = works[number]
            if work.isOfApplication { reads.noteRun(of: number) }
            var call = HandledCall(record: work.record, work: work.work)
            call.parts = WorkInParts(
                progress: work.progress, payload: payload, written: written[number] ?? [:], isLast: isLast,
                before: !work.isFree ? [nil] : isLast ? [] : progressOfPages(before: number))
            return call
        }
    }

    /// Notes that the records to which a page links concern the page's work too. Another place may have brought a link,
    /// such as that to the page info, where the walk looks for no work. The walk finds the items of lists.
    private mutating func noteLinks(
        of record: RecordID, at position: Int?, _ staged: StagedRecords, over base: Records, _ below: Reach
    ) {
        let new = position.map(staged.shape) ?? .empty
        let growths = staged.growths[record]
        for key in new.keys where growths?[key] == nil {
            if let position, case .link(let target)? = staged.value(position, key) { note(below, at: target) }
        }
        for key in base.shape(of: record).keys where new.position(of: key) == nil {
            if case .link(let target)? = base.value(key, of: record) { note(below, at: target) }
        }
    }

    /// Adds the pages that may have waited for what the payload has brought.
    private mutating func addPages(_ payload: Int) {
        laterPages = laterPages.filter { !works[$0].progress.wasMerged(before: payload) }
        due.formUnion(laterPages)
    }

    /// Returns the progress of the pages that a page follows, with nil for one that has not come completely.
    private mutating func progressOfPages(before number: Int) -> [WorkProgress?] {
        guard pages.isNeeded else { return [] }
        return pages.pages(before: number).filter { !pages.isGone($0) }.map { page in
            guard let work = page.work, works[work].isFree, pages.isComplete(page) else { return nil }
            return works[work].progress
        }
    }

    /// Adds the work that waits for something that will not come.
    private mutating func addRest(_ payload: Int) {
        for number in works.indices {
            let work = works[number]
            if !work.isFree {
                if !fragments.haveAllFailed(work.fragments) { free(number) }
            } else if work.isOfApplication {
                continue
            } else if !work.progress.wasMerged(before: payload) {
                due.insert(number)
            }
        }
    }
}
