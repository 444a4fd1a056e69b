/// The places in the store that the later parts of one response will fill, as far as the response has shown them.
///
/// A place is a record with the fields that a part selects there. A read that lacks one of these fields finds the place
/// here, whatever operation it belongs to (``Arrivals``).
///
/// Places are added before their payload lands. Places whose parts have come are taken back by `settle`, after the
/// payload has landed. So nobody finds a field missing and not on its way while it lands.
///
/// State: guarded by a lock of its own, a leaf.
final class ArrivingPlaces: Sendable {
    struct Place: Hashable, Sendable {
        let record: RecordID
        /// The ordinal of the fields in the plan.
        let fields: Int
    }

    /// A field that a read has lacked; with no key the record, or what a type condition needs.
    private struct Question: Hashable {
        let record: RecordID
        let key: StorageKeyID?
    }

    private struct State {
        /// The fields of the places, by their ordinal; true for fields with objects below.
        var fields: [Int: [StorageKeyID: Bool]] = [:]
        /// The fields that handlers copy from, by the keys of their copies.
        var handled: [StorageKeyID: Set<StorageKeyID>] = [:]
        /// True if the response may have places at all.
        var isNeeded = false
        /// The number of parts that fill each place.
        var places: [RecordID: [Int: Int]] = [:]
        /// The records that handlers fill from records of the response, in both directions.
        var copies: [RecordID: Set<RecordID>] = [:]
        var sources: [RecordID: Set<RecordID>] = [:]
        /// The reads that were told of the places of a record.
        var asked: [RecordID: Set<Question>] = [:]
        /// The places that the payload has added, and those whose parts it has brought.
        var added: [Place] = []
        var ended: [Place] = []
        /// True if nothing more will come after the payload.
        var isOver = false
        /// The reads whose places have gone.
        var told: Set<Question> = []

        /// Returns true if a part fills a field of a record, or with no key any field.
        func fills(_ key: StorageKeyID?, of record: RecordID) -> Bool {
            guard let places = places[record] else { return false }
            guard let key else { return true }
            return places.keys.contains { fields[$0]?[key] != nil }
        }

        /// Returns true if a part fills what a read lacks, and notes the read.
        mutating func answer(_ question: Question, _ key: StorageKeyID?, at record: RecordID) -> Bool {
            guard fills(key, of: record) else { return false }
            asked[record, default: []].insert(question)
            return true
        }

        mutating func tell(_ record: RecordID) {
            if let questions = asked.removeValue(forKey: record) { told.formUnion(questions) }
        }

        mutating func endAll() {
            (places, copies, sources, added, ended, isOver) = ([:], [:], [:], [], [], false)
            for questions in asked.values { told.formUnion(questions) }
            asked = [:]
        }
    }

    private let state = Guarded(State())

    var isEmpty: Bool { state.withLock { $0.places.isEmpty } }

    // MARK: - For the delivery

    /// Begins a response; places of the response before it are gone.
    func begin(_ plan: BoundPlan) {
        var handled: [StorageKeyID: Set<StorageKeyID>] = [:]
        for handle in plan.marks.values.compactMap(\.handle) {
            handled[handle.storageKey, default: []].insert(handle.source)
        }
        state.withLock { [handled] state in
            state.endAll()
            state.fields = [:]
            state.handled = handled
            state.isNeeded = plan.markSet.contains(.deferred)
        }
    }

    /// Adds a place that a part will fill: a record of a type with the fields of selection sets.
    func add(_ record: RecordID, _ type: TypeID, _ nodes: [Int], in plan: BoundPlan) -> Place {
        let node = plan.writing.node(nodes.map { UInt32(truncatingIfNeeded: $0) }, in: plan)
        let selections = plan.writing.selections(node, for: type, in: plan)
        let place = Place(record: record, fields: selections.ordinal)
        let isKnown = state.withLock { $0.fields[place.fields] != nil }
        let fields = isKnown ? nil : selections.keys
        state.withLock { [fields] state in
            if let fields { state.fields[place.fields] = fields }
            state.places[record, default: [:]][place.fields, default: 0] += 1
            state.added.append(place)
        }
        return place
    }

    /// Notes that the part of a place has come, or does not come.
    func end(_ places: [Place]) { state.withLock { $0.ended += places } }

    /// Notes that nothing more comes after the payload.
    func endAfterPayload() { state.withLock { $0.isOver = true } }

    /// Notes a record that a handler fills from a record of the response.
    func note(_ copy: RecordID, of source: RecordID) {
        guard copy != .none, copy != source else { return }
        state.withLock { state in
            guard state.isNeeded, state.copies[source, default: []].insert(copy).inserted else { return }
            state.sources[copy, default: []].insert(source)
        }
    }

    // MARK: - For the request

    /// Takes back the places whose parts have come with the payload. Returns the fields of which readers must look
    /// again whether they are on their way.
    func settle(in records: Records) -> ChangeSet {
        var added: [(record: RecordID, keys: [StorageKeyID: Bool])] = []
        let told = state.withLock { state -> Set<Question> in
            if state.isOver { state.endAll() }
            for place in state.added {
                guard let keys = state.fields[place.fields] else { continue }
                added.append((place.record, keys))
                for copy in state.copies[place.record] ?? [] { added.append((copy, keys)) }
            }
            for place in state.ended {
                guard let count = state.places[place.record]?[place.fields] else { continue }
                state.places[place.record]?[place.fields] = count > 1 ? count - 1 : nil
                if state.places[place.record]?.isEmpty == true { state.places[place.record] = nil }
                state.tell(place.record)
            }
            defer { (state.added, state.ended, state.told) = ([], [], []) }
            return state.told
        }
        return ChangeSet(of: told.map { ($0.record, $0.key) }, missing: added, in: records)
    }

    /// Takes back all places, because nothing more comes. Returns the fields of which readers must look again.
    func stop(in records: Records) -> ChangeSet {
        endAfterPayload()
        return settle(in: records)
    }

    // MARK: - For readers

    /// Returns true if a part will fill a field of a record that a read lacks. With no key the read lacks the record,
    /// or what a type condition needs.
    func fill(_ key: StorageKeyID?, of record: RecordID, in records: Records) -> Bool {
        let question = Question(record: record, key: key)
        var handled: [StorageKeyID] = []
        let isFound = state.withLock { state in
            if state.answer(question, key, at: record) { return true }
            for source in state.sources[record] ?? [] where state.answer(question, key, at: source) { return true }
            if let key, let sources = state.handled[key] { handled = Array(sources) }
            return false
        }
        if isFound { return true }
        // A handler makes its copy when the parts of the field's value have come.
        return handled.contains { source in
            let value = records.value(source, of: record)
            return state.withLock { state in
                if state.answer(question, source, at: record) { return true }
                guard case .link(let server)? = value else { return false }
                return state.answer(question, nil, at: server)
            }
        }
    }
}

extension WriteSelections {
    /// The keys of the fields and of the copies that handlers make of them; true for fields with objects below.
    fileprivate var keys: [StorageKeyID: Bool] {
        var keys: [StorageKeyID: Bool] = [:]
        for index in 0..<fields.count {
            let field = fields[index]
            keys[field.pointee.key] = field.pointee.child != nil
            for case .copy(let handle) in field.pointee.works { keys[handle.storageKey] = true }
        }
        return keys
    }
}

extension ChangeSet {
    /// Makes a set that tells the readers of some fields, and the readers of those fields of some records that are
    /// missing or have objects below.
    fileprivate init(
        of fields: [(record: RecordID, key: StorageKeyID?)],
        missing others: [(record: RecordID, keys: [StorageKeyID: Bool])], in records: Records
    ) {
        self.init()
        for (record, key) in fields {
            guard let key else {
                addWhole(record)
                continue
            }
            keys.append(key)
            addFields(of: record, from: keys.count - 1)
        }
        for (record, wanted) in others where records.state(of: record) == .existing {
            let (first, shape) = (keys.count, records.shape(of: record))
            for (key, hasObjects) in wanted where hasObjects || shape.position(of: key) == nil { keys.append(key) }
            if keys.count > first { addFields(of: record, from: first) }
        }
    }
}
