/// The work for the handled fields of an answer that comes in parts: pages of connections, handlers of the application,
/// and directives that change connections or records.
///
/// The rule: work is done when its field has come, and carried on whenever a later payload writes at or below the
/// field's value, whichever fragment the payload belongs to. A field that only later fragments select has come when the
/// first of these fragments has come completely; the beginning may have brought parts of it for other selections. What
/// has not been done when the answer ends is done then, unless the fragment has failed.
///
/// What counts as below follows from the work: the edges and the page info for a connection, the edge or node for a
/// directive such as `@appendEdge`, and everything for a handler of the application.
struct LaterWorks: Sendable {
    typealias Fragment = IncrementalPlaces.LaterFragment

    /// A piece of work that is concerned by what is written to a record.
    struct Reach: Sendable {
        let work: Int
        /// The number of levels below the record that concern the work too.
        let depth: Int

        /// What concerns the work one level below; nil if nothing does.
        var below: Reach? {
            depth == 0 ? nil : Reach(work: work, depth: depth == .max ? .max : depth - 1)
        }
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
        let progress = WorkProgress()
        /// The later fragments that select the field, as long as nothing else has brought it.
        var fragments: Set<Fragment> = []
        /// True once the field has come.
        var isFree = false
        var hasRun = false
        /// The position among all work: inner fields before outer ones.
        var order = Int.max
    }

    /// True if the plan has handled fields.
    let isNeeded: Bool
    private var works: [Work] = []
    private var numbers: [Key: Int] = [:]
    private var orders = 0
    private var reaches: [RecordID: [Reach]] = [:]
    /// The work that waits for the end of fragments.
    private var waiting: [Fragment: [Int]] = [:]
    private var failed: Set<Fragment> = []
    /// The work that the current payload has made possible or has to do again.
    private var due: Set<Int> = []
    /// The fragments that the current payload has brought something of; true for those of which fields are missing.
    private var seen: [Fragment: Bool] = [:]

    init(_ plan: BoundPlan) {
        isNeeded = plan.marks.values.contains { $0.handle != nil || $0.mutation != nil }
    }

    // MARK: - Noting

    /// Notes that an answer has brought a handled field; returns the number of its work.
    mutating func enter(_ work: FieldWork, of record: RecordID, in fragment: Fragment?) -> Int {
        let key = Key(record, work)
        let number = numbers[key] ?? works.count
        if number == works.count {
            numbers[key] = number
            works.append(Work(record: record, work: work))
        }
        if let fragment {
            if !works[number].isFree, works[number].fragments.insert(fragment).inserted {
                waiting[fragment, default: []].append(number)
            }
        } else {
            free(number)
        }
        return number
    }

    /// Gives work its place after all work that was given one before.
    mutating func order(_ number: Int) {
        guard works[number].order == .max else { return }
        works[number].order = orders
        orders += 1
    }

    /// Notes that what is written to a record concerns work.
    mutating func note(_ reach: Reach, at record: RecordID) {
        var all = reaches[record] ?? []
        if let index = all.firstIndex(where: { $0.work == reach.work }) {
            guard all[index].depth < reach.depth else { return }
            all[index] = reach
        } else {
            all.append(reach)
        }
        reaches[record] = all
    }

    /// The work that is concerned by what is written to a record.
    func reaches(at record: RecordID) -> [Reach] { reaches[record] ?? [] }

    /// Returns what concerns work below the value of its field.
    func reach(_ number: Int) -> Reach {
        let depth =
            switch works[number].work {
            case .copy(let handle): handle.name == HandledCall.connection ? 1 : Int.max
            case .mutation: 0
            }
        return Reach(work: number, depth: depth)
    }

    private mutating func free(_ number: Int) {
        works[number].isFree = true
        works[number].fragments = []
        due.insert(number)
    }

    /// Notes that the field of work has grown.
    mutating func grow(_ number: Int) { if works[number].isFree { due.insert(number) } }

    /// Notes that the payload has brought something of a fragment.
    mutating func see(_ fragment: Fragment, hasGap: Bool) {
        if hasGap { seen[fragment] = true } else if seen[fragment] == nil { seen[fragment] = false }
    }

    // MARK: - Fragments

    /// Notes that a fragment has come completely.
    mutating func end(of fragment: Fragment) {
        for number in waiting.removeValue(forKey: fragment) ?? [] where !works[number].isFree { free(number) }
    }

    /// Notes that a fragment does not come.
    mutating func fail(_ fragment: Fragment) { failed.insert(fragment) }

    /// Ends the fragments of which the payload has brought every field, except those that the server has announced: a
    /// server may send a fragment at once although it could come later.
    mutating func endWholeFragments(except open: Set<Fragment>) {
        for (fragment, hasGap) in seen where !hasGap && !open.contains(fragment) { end(of: fragment) }
        seen = [:]
    }

    // MARK: - Doing

    /// Returns the work that the current payload has to do, in its order.
    ///
    /// - Parameters:
    ///   - first: The work that was found while the beginning of the answer was read; empty for later payloads.
    ///   - isLast: True if nothing of the answer will follow.
    mutating func calls(
        _ first: [HandledCall], _ staged: StagedRecords, over base: Records, payload: Int, isLast: Bool
    ) -> [HandledCall] {
        guard isNeeded else { return [] }
        var written: [Int: [RecordID: Shape]] = [:]
        func note(_ record: RecordID, _ shape: @autoclosure () -> Shape) {
            guard let reaches = reaches[record] else { return }
            for reach in reaches { written[reach.work, default: [:]][record] = shape() }
        }
        if !reaches.isEmpty {
            for record in staged.confirmed { note(record, base.shape(of: record)) }
            for position in staged.entries.indices { note(staged.entries[position].record, staged.shape(position)) }
        }
        for number in written.keys where works[number].isFree { due.insert(number) }
        if isLast { addRest(payload) }
        var order: [Int] = []
        for call in first {
            let number = numbers[Key(call.record, call.work)] ?? enter(call.work, of: call.record, in: nil)
            if due.remove(number) != nil { order.append(number) }
        }
        order += due.sorted { (works[$0].order, $0) < (works[$1].order, $1) }
        due = []
        return order.map { number in
            works[number].hasRun = true
            let work = works[number]
            var call = HandledCall(record: work.record, work: work.work)
            call.parts = WorkInParts(
                progress: work.progress, payload: payload, written: written[number] ?? [:], isLast: isLast)
            return call
        }
    }

    /// Adds the work that waits for something that will not come.
    private mutating func addRest(_ payload: Int) {
        for number in works.indices {
            let work = works[number]
            if !work.isFree {
                if !work.fragments.isSubset(of: failed) { free(number) }
            } else if case .copy(let handle) = work.work, handle.name != HandledCall.connection {
                continue
            } else if !work.progress.wasMerged(before: payload) {
                due.insert(number)
            }
        }
    }
}
