/// Reads the `data` of an answer along a bound plan, in one pass over the bytes, into staged records.
///
/// It knows which key to expect next and compares before it looks anything up. What it does not know it skips, checked as JSON.
/// It holds no lock while it calls a conversion or a data ID function.
struct Normalizer {
    let plan: BoundPlan
    let names: NameTable
    let scalars: [GeneratedCode.ScalarDecoder]
    let customDataID: DataIDFunction?
    /// The version that was newest when reading began. What it holds already is not staged, only confirmed.
    let base: Records
    var staged = StagedRecords()
    /// Records of which nothing came so far but their ID.
    private var links: [Link] = []

    /// The type that came last through a node, and what it expects; most lists hold one type.
    private var recent: [Recent?] = []
    /// Arrays to reuse, one for each node: a node is not met again inside itself.
    private var spares: [Fields?] = []

    private final class Recent {
        let type: TypeID
        /// `"__typename":"Film"`, of an abstract type.
        let name: [UInt8]
        let selections: WriteSelections
        /// What stands before the `id` in a data ID: nothing, or `Tag:`.
        let prefix: [UInt8]

        init(type: TypeID, name: [UInt8], selections: WriteSelections, prefix: [UInt8]) {
            self.type = type
            self.name = name
            self.selections = selections
            self.prefix = prefix
        }
    }

    private struct Link {
        let position: Int
        let type: TypeID
        let shape: Shape
        let id: Value
    }

    /// The fields of the object that is being read; an object, so that it is not moved about.
    final class Fields {
        let values: FieldBuffer
        /// The positions of the fields; kept only once they are not the first ones that were expected, in order.
        var indices: [Int] = []
        var isInOrder = true
        /// The record as the base has it, if it was written with the same fields.
        var known: BorrowedRow?
        /// The number of fields so far, while they came in order and are those of the base: then there are no values.
        var confirmed = 0
        var isConfirmed = false

        /// The value of the base for a field.
        @inline(__always)
        func knownValue(_ index: Int) -> UnsafePointer<Value>? { known?.value(at: index) }

        @inline(__always)
        func compare(to row: BorrowedRow?) {
            known = row
            isConfirmed = row != nil && isInOrder && values.count == 0
        }

        /// Goes on with values, because something is different.
        func diverge() {
            guard isConfirmed else { return }
            isConfirmed = false
            for index in 0..<confirmed {
                if let value = known?.value(at: index) { values.append(value.pointee) }
            }
            confirmed = 0
        }

        init(capacity: Int) { values = FieldBuffer(capacity: capacity) }

        func reset() {
            values.removeAll()
            indices.removeAll(keepingCapacity: true)
            isInOrder = true
            known = nil
            confirmed = 0
            isConfirmed = false
        }
    }

    init(
        plan: BoundPlan, scalars: [GeneratedCode.ScalarDecoder], customDataID: DataIDFunction?, base: Records
    ) {
        self.base = base
        self.plan = plan
        names = plan.names
        self.scalars = scalars
        self.customDataID = customDataID
    }

    /// Hands out what was read.
    mutating func takeStaged() -> StagedRecords {
        for link in links where staged.isNew(link.position) {
            let values = FieldBuffer(capacity: 1)
            values.append(link.id)
            staged.fill(link.position, link.type, link.shape, values)
        }
        var result = StagedRecords()
        swap(&result, &staged)
        result.generation = base.generation
        if !result.confirmed.isEmpty || !result.confirmedLinks.isEmpty { result.base = base }
        return result
    }

    /// Where an object belongs that has no identity of its own.
    struct Place {
        let parent: RecordID
        let key: StorageKeyID
        let index: UInt32
    }

    /// Reads the object of the root fields.
    mutating func root(_ cursor: inout JSONCursor, _ record: RecordID, depth: Int) throws(JSONFailure) {
        let node = plan.writing.node([0], in: plan)
        let selections = plan.writing.selections(node, for: names.rootType, in: plan)
        cursor.position += 1
        cursor.skipSpace()
        let fields = takeFields(node, selections)
        var identity: RecordID? = record
        fields.compare(to: known(record, names.rootType, selections))
        try members(
            &cursor, fields, selections, names.rootType, &identity,
            Place(parent: record, key: .init(index: 0), index: 0),
            prefix: [], expected: .none, depth: depth)
        stage(record, names.rootType, selections, fields)
    }

    /// A record of the base that was written with the fields of a selection set; nil if this answer has already changed it.
    @inline(__always)
    private func known(_ record: RecordID, _ type: TypeID, _ selections: WriteSelections) -> BorrowedRow? {
        let row = base.row(of: record)
        guard row.state == .existing, row.type == type, let shape = selections.shape,
            row.shape == ObjectIdentifier(shape), staged.position(of: record) == nil
        else { return nil }
        return row
    }

    // MARK: - Objects

    /// Reads an object from its brace and returns its record.
    mutating func object(
        _ cursor: inout JSONCursor, _ node: WriteNode, _ composite: BoundType.Composite, _ place: Place,
        expected: RecordID, depth: Int
    ) throws(JSONFailure) -> RecordID {
        guard depth < JSONCursor.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: JSONCursor.maximumDepth), offset: cursor.position)
        }
        let start = cursor.position
        cursor.position &+= 1
        cursor.skipSpace()
        let recent = try type(&cursor, node, composite, start: start)
        var identity: RecordID?
        if let customDataID {
            identity = try custom(customDataID, cursor, recent.selections, recent.type, depth: depth)
        }
        if identity == nil, recent.selections.idField == nil {
            identity = names.record(parent: place.parent, key: place.key, index: place.index)
        }
        let fields = takeFields(node, recent.selections)
        if let identity { fields.compare(to: known(identity, recent.type, recent.selections)) }
        try members(
            &cursor, fields, recent.selections, recent.type, &identity, place, prefix: recent.prefix,
            expected: expected, depth: depth)
        let record = identity ?? names.record(parent: place.parent, key: place.key, index: place.index)
        stage(record, recent.type, recent.selections, fields)
        return record
    }

    @inline(__always)
    private mutating func takeFields(_ node: WriteNode, _ selections: WriteSelections) -> Fields {
        while spares.count <= node.ordinal { spares.append(nil) }
        if let fields = spares[node.ordinal] { return fields }
        let fields = Fields(capacity: selections.fields.count)
        spares[node.ordinal] = fields
        return fields
    }

    private mutating func remember(_ recent: Recent, at node: WriteNode) {
        while self.recent.count <= node.ordinal { self.recent.append(nil) }
        self.recent[node.ordinal] = recent
    }

    /// Finds out the type of an object, from the plan or from `__typename`, which mostly comes first.
    @inline(__always)
    private mutating func type(
        _ cursor: inout JSONCursor, _ node: WriteNode, _ composite: BoundType.Composite, start: Int
    ) throws(JSONFailure) -> Recent {
        if node.ordinal < recent.count, let recent = recent[node.ordinal] {
            if !composite.isAbstract { return recent }
            if cursor.hasBytes(recent.name, at: cursor.position) { return recent }
        }
        return try newType(cursor, node, composite, start: start)
    }

    @inline(never)
    private mutating func newType(
        _ cursor: JSONCursor, _ node: WriteNode, _ composite: BoundType.Composite, start: Int
    ) throws(JSONFailure) -> Recent {
        var type = composite.type
        var proposed = composite.implementsNode
        var nameBytes: [UInt8] = []
        if composite.isAbstract {
            var ahead = cursor
            guard let token = try Self.find("__typename", &ahead) else {
                throw JSONFailure(.missingTypename(expected: composite.name), offset: start)
            }
            let name = cursor.text(token)
            type = names.type(name)
            proposed = composite.implementsNode || composite.nodes.contains(type)
            nameBytes = Array("\"__typename\":\"\(name)\"".utf8)
        }
        let recent = Recent(
            type: type, name: nameBytes,
            selections: plan.writing.selections(node, for: type, in: plan),
            prefix: names.implementsNode(type, proposed: proposed) ? [] : Array("\(names.name(of: type)):".utf8)
        )
        remember(recent, at: node)
        return recent
    }

    /// Looks ahead for a member of the object whose first key is next; it must be a string.
    private static func find(_ name: StaticString, _ cursor: inout JSONCursor) throws(JSONFailure) -> JSONCursor
        .StringToken?
    {
        let wanted = Array("\(name)".utf8)
        guard cursor.next != 0x7D else { return nil }
        repeat {
            let key = try cursor.string()
            try cursor.expectColon()
            if cursor.unescaped(key) == wanted {
                guard cursor.next == 0x22 else {
                    // A body that ends here is no JSON, rather than an object without a type.
                    try cursor.skipValue(depth: 1)
                    return nil
                }
                return try cursor.string()
            }
            try cursor.skipValue(depth: 1)
        } while try cursor.continues(until: 0x7D)
        return nil
    }

    /// Reads the members of an object up to its end.
    private mutating func members(
        _ cursor: inout JSONCursor, _ fields: Fields, _ selections: WriteSelections, _ type: TypeID,
        _ identity: inout RecordID?, _ place: Place, prefix: [UInt8], expected record: RecordID, depth: Int
    ) throws(JSONFailure) {
        var expected = 0
        var seen: Set<Int> = []
        if cursor.next == 0x7D {
            cursor.position &+= 1
        } else {
            repeat {
                guard
                    let index = try key(&cursor, selections, &expected, &seen, depth: depth)
                else { continue }
                let field = selections.fields[index]
                let known = fields.knownValue(index)
                let value: Value?
                if field.pointee.isID, identity == nil {
                    let (token, id) = try id(&cursor, field, &identity, prefix, expected: record)
                    if let identity { fields.compare(to: self.known(identity, type, selections)) }
                    if let token, let known = fields.knownValue(index), case .string(let text) = known.pointee,
                        cursor.isEqual(token, text)
                    {
                        value = nil
                    } else {
                        value = id ?? token.map { .string(cursor.text($0)) } ?? .null
                    }
                } else if field.pointee.needsRecord {
                    if identity == nil {
                        identity = try lookAhead(cursor, selections, prefix, place)
                    }
                    let record = identity ?? place.parent
                    value =
                        field.pointee.child == nil
                        ? try leaf(&cursor, field, known, depth: depth)
                        : try self.value(&cursor, field, known, parent: record, depth: depth)
                    // What is further in comes first.
                    if field.pointee.hasHandles { note(field, of: record) }
                } else {
                    value = try leaf(&cursor, field, known, depth: depth)
                }
                add(index, value, fields, selections)
            } while try cursor.continues(until: 0x7D)
        }
        if !selections.discriminators.isEmpty { learn(selections, type, seen) }
    }

    /// Reads a key and the colon; nil for a key that is no field, whose value is skipped.
    @inline(__always)
    private func key(
        _ cursor: inout JSONCursor, _ selections: WriteSelections, _ expected: inout Int, _ seen: inout Set<Int>,
        depth: Int
    ) throws(JSONFailure) -> Int? {
        let fields = selections.fields
        if expected < fields.count, fields[expected].isNext(cursor) {
            let index = expected
            cursor.position &+= fields[index].pointee.quotedKey.count
            expected &+= 1
            try cursor.expectColon()
            return index
        }
        return try unexpectedKey(&cursor, selections, &expected, &seen, depth: depth)
    }

    @inline(never)
    private func unexpectedKey(
        _ cursor: inout JSONCursor, _ selections: WriteSelections, _ expected: inout Int, _ seen: inout Set<Int>,
        depth: Int
    ) throws(JSONFailure) -> Int? {
        let token = try cursor.string()
        let quoted =
            token.hasEscapes ? [0x22] + cursor.unescaped(token) + [0x22] : cursor.bytes(token.start - 1..<token.end + 1)
        try cursor.expectColon()
        if let index = selections.fields.firstIndex(where: { $0.quotedKey == quoted }) {
            expected = index &+ 1
            return index
        }
        if let index = selections.discriminators.firstIndex(where: { $0.quotedKey == quoted }) {
            seen.insert(index)
        }
        try cursor.skipValue(depth: depth &+ 1)
        return nil
    }

    /// Adds a field; nil is the value that the base has.
    @inline(__always)
    private func add(_ index: Int, _ value: Value?, _ fields: Fields, _ selections: WriteSelections) {
        if fields.isConfirmed {
            if value == nil, index == fields.confirmed {
                fields.confirmed &+= 1
                return
            }
            fields.diverge()
        }
        if fields.isInOrder {
            if index == fields.values.count {
                fields.values.append(value ?? fields.knownValue(index)?.pointee ?? .null)
                return
            }
            fields.isInOrder = false
            fields.indices = Array(0..<fields.values.count)
        }
        fields.indices.append(index)
        fields.values.append(value ?? fields.knownValue(index)?.pointee ?? .null)
    }

    // MARK: - Staging

    /// Notes that a field came of which handlers make something.
    @inline(never)
    private mutating func note(_ field: UnsafePointer<WriteField>, of record: RecordID) {
        for handle in field.pointee.handles { staged.handled.append(.init(record: record, handle: handle)) }
    }

    /// Notes which abstract types the object's type is of.
    private mutating func learn(_ selections: WriteSelections, _ type: TypeID, _ seen: Set<Int>) {
        for (index, discriminator) in selections.discriminators.enumerated() {
            let fact = Records.TypeFact(type: type, abstractType: discriminator.abstractType)
            if seen.contains(index) {
                staged.facts[fact] = true
            } else if discriminator.parents.contains(where: { $0.map { seen.contains($0) } ?? true }) {
                staged.facts[fact] = false
            }
        }
    }

    /// Adds an object to what is staged; fields that were staged before for the same record are overwritten.
    @inline(__always)
    private mutating func stage(
        _ record: RecordID, _ type: TypeID, _ selections: WriteSelections, _ fields: Fields
    ) {
        defer { fields.reset() }
        if fields.isConfirmed {
            if fields.confirmed == selections.fields.count, staged.position(of: record) == nil {
                staged.confirmed.append(record)
                return
            }
            fields.diverge()
        }
        let isMereLink = selections.isMereLink && fields.isInOrder && fields.values.count == 1 && customDataID == nil
        if isMereLink, staged.contains(record, type) || confirmLink(record, type, selections) {
            // The record is in this answer or in the base already, under this very ID.
            return
        }
        let position = staged.positionAdding(record, type)
        if isMereLink, staged.isNew(position), let shape = selections.shape {
            // The object itself may follow, with this field among others.
            links.append(Link(position: position, type: type, shape: shape, id: fields.values[0]))
            return
        }
        if fields.isInOrder, let shape = selections.shape, shape.keys.count == fields.values.count {
            if staged.isNew(position) || staged.hasOnly(position, keysOf: shape) {
                staged.fill(position, type, shape, fields.values)
                return
            }
        }
        merge(position, selections, fields)
    }

    /// Notes that a link is all that an answer says of a record of the base.
    @inline(__always)
    private mutating func confirmLink(_ record: RecordID, _ type: TypeID, _ selections: WriteSelections) -> Bool {
        let slot = base.slot(of: record)
        guard slot.state == .existing else { return false }
        let block = base.block(at: slot)
        guard block.type == type, let place = block.shape.position(of: selections.fields[0].pointee.key),
            case .string = base.value(at: slot, place)
        else { return false }
        staged.confirmedLinks.append(.init(record: record, key: selections.fields[0].pointee.key))
        return true
    }

    private mutating func merge(
        _ position: Int, _ selections: WriteSelections, _ fields: Fields
    ) {
        if fields.isInOrder { fields.indices = Array(0..<fields.values.count) }
        // In the order of the plan, or records that came in another order had another shape each. Of a repeated key the last value stays last.
        let order = fields.indices.indices.sorted { (fields.indices[$0], $0) < (fields.indices[$1], $1) }
        let keys = order.map { selections.fields[fields.indices[$0]].pointee.key }
        let values = order.map { fields.values[$0] }
        staged.set(position, keys, values, names)
    }
}
