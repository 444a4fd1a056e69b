/// Reads the `data` of a response along a bound plan, in one pass over the bytes, into staged records.
///
/// The normalizer knows the next expected key and compares it before it searches. Unknown members are checked as JSON
/// and skipped. No lock is held while a conversion or a data ID function is called.
struct Normalizer {
    let plan: BoundPlan
    let writing: WritePlan
    let names: NameTable
    let scalars: [GeneratedCode.ScalarDecoder]
    /// The application's function, followed by the keys of the plan.
    let customDataID: DataID.Function?
    /// The newest version at the beginning of the read. A value that the version already has is confirmed, not staged.
    /// Records that an optimistic layer covers are always staged, because the version shows the layer's values and not
    /// those of the base.
    let base: Records
    /// A borrowed form of `base`. A read through `base` would copy all fields of each object (benchmark `shape.deep`).
    let look: BorrowedRecords
    var staged = StagedRecords()
    /// The work for the handled fields, in the order in which the fields came.
    var handled: [HandledCall] = []
    /// The beginnings of the lists with `@stream`. They are kept here because the record may get another value for the
    /// same field from another place of the response.
    private(set) var streamed: [StreamedList: Value] = [:]
    /// The longest form of each list with `@stream` that any place of the response has brought.
    private(set) var grown: [GrownList: GrowingList] = [:]
    /// The records of which only the ID has come so far.
    var links: [Link] = []
    /// The links to be looked up next.
    var linkBatch = LinkBatch()
    let nodes = NodeStates()
    /// The items of the lists that are being read.
    let linkItems = ItemStack<RecordID>()
    let scalarItems = ItemStack<Value>()
    /// The objects around the next value whose `id` has not come yet, the innermost last.
    var openObjects: [OpenObject] = []
    /// The fields that `customDataID` gets; nil without such a function.
    let chosenFields: ChosenFields?
    /// The number of new type facts that were learned.
    var factsVersion = 0
    /// True while a later part of a response is read. A server may leave out fields that another part brings, so the
    /// absence of a discriminator proves nothing.
    var isLaterPart = false { didSet { factsVersion &+= 1 } }

    /// A list with `@stream`, at one place or at places with the same label.
    struct StreamedList: Hashable {
        let label: String
        let record: RecordID
    }

    /// A list in the store that grows by `@stream`, at whatever places of the response.
    struct GrownList: Hashable {
        let record: RecordID
        let key: StorageKeyID
    }

    struct Link {
        let position: Int
        let node: Int
        let record: RecordID
        let type: TypeID
        /// The `id`; nil if it is the data ID without its prefix.
        let id: Value?
        let prefixCount: Int
    }

    init(
        plan: BoundPlan, scalars: [GeneratedCode.ScalarDecoder], customDataID: DataID.Function?, base: Records,
        isMadeByHand: Bool = false
    ) {
        self.base = base
        look = base.borrowed
        self.plan = plan
        writing = isMadeByHand ? plan.writingByHand : plan.writing
        names = plan.names
        self.scalars = scalars
        let dataID = KeyedIdentity.function(plan.planMarks.keys, after: customDataID)
        self.customDataID = dataID
        chosenFields = dataID.map { _ in ChosenFields() }
    }

    /// Returns the staged records of a response with the mark of its fetch.
    mutating func takeStaged(_ fetch: FetchMark?) -> StagedRecords {
        fillLinks()
        staged.fetch = fetch
        if staged.isConfirming { staged.base = base }
        return staged.take()
    }

    /// Writes the records of which only the ID has come.
    mutating func fillLinks() {
        var values = FieldBuffer(capacity: 1)
        for link in links where staged.isNew(link.position) {
            values.append(link.id ?? .string(names.text(of: link.record, droppingFirst: link.prefixCount)))
            if let state = nodes.find(link.node, where: { $0.pointee.type == link.type }),
                let shape = state.pointee.selections.shape
            {
                staged.fill(link.position, link.type, shape, &values, hint: &state.pointee.block)
            } else {
                var hint: Int32 = -1
                staged.fill(link.position, link.type, names.shape([names.idKey]), &values, hint: &hint)
            }
        }
        links.removeAll()
    }

    /// The place of an object without an identity of its own.
    struct Place {
        /// The record of the object around it; `RecordID.none` stands for the innermost open object.
        let parent: RecordID
        let key: StorageKeyID
        let index: UInt32
    }

    /// Reads the object of the root fields.
    mutating func root(_ cursor: inout JSONCursor, _ record: RecordID, depth: Int) throws(JSONFailure) {
        try object(&cursor, at: record, of: names.rootType, [0], depth: depth)
    }

    /// Reads an object, or a part of an object, whose record and type are known.
    mutating func object(
        _ cursor: inout JSONCursor, at record: RecordID, of type: TypeID, _ sources: [UInt32], depth: Int
    ) throws(JSONFailure) {
        let node = writing.node(sources, in: plan)
        let state =
            nodes.use(node.ordinal) { $0.pointee.type == type }
            ?? nodes.add(
                node.ordinal,
                NodeState(
                    type, names.name(of: type), writing.selections(node, for: type, in: plan), prefix: nil,
                    isAbstract: false, fieldNames: nil))
        cursor.position += 1
        cursor.skipSpace()
        var identity = record
        compare(state, to: record)
        try members(
            &cursor, state, &identity, Place(parent: record, key: .init(index: 0), index: 0), expected: .none,
            depth: depth, typenameEnd: 0)
        stage(record, state, node.ordinal)
    }

    /// Compares an object with its base record, unless this response has already changed the record.
    @inline(__always)
    mutating func compare(_ state: UnsafeMutablePointer<NodeState>, to record: RecordID) {
        let row = look.row(of: record)
        guard state.pointee.matches(row), !staged.contains(record), !base.isCovered(record) else { return }
        state.pointee.compare(to: row)
    }

    // MARK: - Objects

    /// Reads an object after its brace and returns its record.
    mutating func object(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ place: Place, expected: RecordID, depth: Int
    ) throws(JSONFailure) -> RecordID {
        guard depth < JSONCursor.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: JSONCursor.maximumDepth), offset: cursor.position)
        }
        let start = cursor.position
        cursor.position &+= 1
        cursor.skipSpace()
        var typenameEnd = 0
        let state = try type(cursor, field, start: start, &typenameEnd)
        var identity = try self.identity(of: state, at: place, cursor, typenameEnd, expected: expected, depth: depth)
        if identity != .none {
            compare(state, to: identity)
        } else if state.pointee.hasLateID {
            identity = foresee(cursor, state, expected: expected)
        }
        try members(
            &cursor, state, &identity, place, expected: expected, depth: depth, typenameEnd: typenameEnd)
        if identity == .none { identity = try record(at: place, cursor, expected: expected) }
        if state.pointee.guess != .none { settle(state, on: identity) }
        stage(identity, state, field.pointee.childOrdinal)
        return identity
    }

    /// Reads the members of an object, from the first key to the end.
    private mutating func members(
        _ cursor: inout JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ identity: inout RecordID,
        _ place: Place, expected record: RecordID, depth: Int, typenameEnd: Int
    ) throws(JSONFailure) {
        if cursor.next == 0x7D {
            cursor.position &+= 1
            return learn(state)
        }
        if typenameEnd > 0, state.pointee.skipsTypename {
            cursor.position = typenameEnd
            guard try cursor.continues(until: 0x7D) else { return learn(state) }
        }
        var expected = 0
        while true {
            if try Self.run(&cursor, state, &expected, isIdentified: identity != .none) { break }
            guard let index = try Self.key(&cursor, state, &expected, depth: depth) else {
                if try cursor.continues(until: 0x7D) { continue } else { break }
            }
            let field = state.pointee.fields[index]
            if field.pointee.isID, identity == .none {
                let value = try id(&cursor, state, index, &identity, expected: record)
                if field.pointee.hasWorks, identity != .none { noteWrite(field, of: identity) }
                state.pointee.add(index, value)
            } else if field.pointee.needsRecord {
                if identity == .none {
                    if field.pointee.mayBeOpen {
                        try open(&cursor, state, index, &identity, place, expected: record, depth: depth)
                        guard try cursor.continues(until: 0x7D) else { break }
                        continue
                    }
                    identity = try lookAhead(cursor, state, place, expected: record)
                }
                let known = state.pointee.known.value(at: index)
                var value =
                    field.pointee.childOrdinal < 0
                    ? try leaf(&cursor, field, known, depth: depth)
                    : try self.value(&cursor, field, known, parent: identity, depth: depth)
                // The handlers of inner fields run before those of outer fields.
                if field.pointee.hasWorks {
                    noteWrite(field, of: identity)
                    if let label = field.pointee.stream {
                        value = begin(field, label, state, of: identity, value, known: known?.pointee)
                    }
                }
                state.pointee.add(index, value)
            } else {
                let value = try leaf(&cursor, field, state.pointee.known.value(at: index), depth: depth)
                state.pointee.add(index, value)
            }
            guard try cursor.continues(until: 0x7D) else { break }
        }
        learn(state)
    }

    /// Reads a key and its colon; returns nil for a key that is no field, whose value is skipped.
    @inline(__always)
    private static func key(
        _ cursor: inout JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ expected: inout Int, depth: Int
    ) throws(JSONFailure) -> Int? {
        let fields = state.pointee.fields
        if expected < fields.count, fields[expected].isKey(at: cursor.position, of: cursor) {
            let index = expected
            cursor.position &+= fields[index].pointee.keyLength
            expected &+= 1
            cursor.skipSpace()
            return index
        }
        return try unexpectedKey(&cursor, state, &expected, depth: depth)
    }

    @inline(never)
    private static func unexpectedKey(
        _ cursor: inout JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ expected: inout Int, depth: Int
    ) throws(JSONFailure) -> Int? {
        if state.pointee.skipsTypename, let name = cursor.startOfTypename(at: cursor.position),
            cursor.isTypename(name, of: state)
        {
            cursor.position = name &+ state.pointee.typename.count
            return nil
        }
        let token = try cursor.string()
        let unescaped = token.hasEscapes ? cursor.unescaped(token) : nil
        try cursor.expectColon()
        let fields = state.pointee.fields
        let index =
            unescaped.map { key in key.withUnsafeBytes { fields.index(of: $0, from: expected) } }
            ?? fields.index(of: cursor.run(token.range), from: expected)
        if let index {
            expected = index &+ 1
            return index
        }
        let discriminators = state.pointee.selections.discriminators
        if !discriminators.isEmpty {
            let key = unescaped.map { $0 } ?? cursor.bytes(token.range)
            if let index = discriminators.firstIndex(where: { $0.key == key }) { state.pointee.seen.insert(index) }
        }
        try cursor.skipValue(depth: depth &+ 1)
        return nil
    }

    // MARK: - Staging

    /// Notes the work for a handled field.
    @inline(never)
    private mutating func noteWrite(_ field: UnsafePointer<WriteField>, of record: RecordID) {
        for work in field.pointee.works { handled.append(.init(record: record, work: work)) }
    }

    /// Notes the beginning of a list with `@stream`. Returns the field's value; nil for the value of the base. The
    /// value is longer than the beginning if another place of the response, or an earlier part, has brought more items.
    @inline(never)
    private mutating func begin(
        _ field: UnsafePointer<WriteField>, _ label: String, _ state: UnsafeMutablePointer<NodeState>,
        of record: RecordID, _ value: Value?, known: Value?
    ) -> Value? {
        let beginning = value ?? known
        streamed[StreamedList(label: label, record: record)] = beginning
        guard let beginning, beginning.items != nil else { return value }
        let list = GrownList(record: record, key: field.pointee.key)
        let own = staged.position(of: record).flatMap { staged.value($0, list.key) }
        let longer = [state.pointee.value(of: list.key), own, grown[list]?.whole].lazy.compactMap(\.self).first {
            other in
            other.startsWithItems(of: beginning)
        }
        grow(list, to: GrowingList(longer ?? beginning))
        return longer ?? value
    }

    /// Keeps the longest form of a list that the response has brought.
    mutating func grow(_ list: GrownList, to value: GrowingList) {
        if let known = grown[list], known.count > value.count { return }
        grown[list] = value
    }

    /// Exchanges the forms of growing lists, which outlive the normalizer.
    mutating func exchangeGrown(_ other: inout [GrownList: GrowingList]) { swap(&grown, &other) }

    /// Stages an object. Its fields replace those that were staged before for the same record.
    @inline(__always)
    private mutating func stage(_ record: RecordID, _ state: UnsafeMutablePointer<NodeState>, _ node: Int) {
        if state.pointee.isConfirmed, state.pointee.confirmed == state.pointee.fields.count, !staged.contains(record) {
            staged.confirm(record)
        } else {
            state.pointee.diverge()
            stageValues(record, state, node)
        }
        state.pointee.reset()
    }

    private mutating func stageValues(_ record: RecordID, _ state: UnsafeMutablePointer<NodeState>, _ node: Int) {
        let selections = state.pointee.selections
        let type = state.pointee.type
        let isMereLink = state.pointee.isMereLink && state.pointee.isInOrder && state.pointee.values.count == 1
        if isMereLink, staged.contains(record, type) || confirmLink(record, state) {
            // This response or the base already has the record with exactly this ID.
            return
        }
        if customDataID != nil, isKnownChosenLink(record, state) { return }
        let position = position(record, type)
        if isMereLink, staged.isNew(position), selections.shape != nil {
            // The whole object may follow, with this field among others.
            links.append(
                Link(
                    position: position, node: node, record: record, type: type, id: state.pointee.values[0],
                    prefixCount: 0))
            return
        }
        if state.pointee.isInOrder, let shape = selections.shape, shape.count == state.pointee.values.count {
            if staged.isNew(position) || staged.hasOnly(position, keysOf: shape) {
                staged.fill(position, type, shape, &state.pointee.values, hint: &state.pointee.block)
                return
            }
        }
        merge(position, state)
    }

    /// Returns the position of a record's entry, which is made if needed.
    @inline(__always)
    mutating func position(_ record: RecordID, _ type: TypeID) -> Int {
        if !staged.contains(record) {
            let row = look.row(of: record)
            if row.state == .existing, row.type != type { stageConfirmed(record) }
        }
        return staged.positionAdding(record, type)
    }

    /// Handles a record of which this response has confirmed values, but whose type has changed. The confirmed values
    /// are staged, so that they are not lost when the record is replaced.
    @inline(never)
    private mutating func stageConfirmed(_ record: RecordID) {
        if staged.isConfirmed(record) { staged.stageRecord(record, of: base, names) }
    }

    private mutating func merge(_ position: Int, _ state: UnsafeMutablePointer<NodeState>) {
        let count = state.pointee.values.count
        let indices = state.pointee.isInOrder ? Array(0..<count) : state.pointee.indices
        // The fields are sorted into the order of the plan. Otherwise records whose fields came in different orders
        // would have different shapes. The last value of a repeated key stays last.
        let order = indices.indices.sorted { (indices[$0], $0) < (indices[$1], $1) }
        let keys = order.map { state.pointee.fields[indices[$0]].pointee.key }
        let values = order.map { state.pointee.values[$0] }
        staged.set(position, keys, values, names)
    }
}
