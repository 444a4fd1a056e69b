/// Reads the `data` of an answer along a bound plan, in one pass over the bytes, into staged records.
///
/// It knows which key to expect next and compares before it looks anything up. What it does not know it skips, checked as JSON.
/// It holds no lock while it calls a conversion or a data ID function.
struct Normalizer {
    let plan: BoundPlan
    let names: NameTable
    let scalars: [GeneratedCode.ScalarDecoder]
    let customDataID: DataIDFunction?
    private(set) var staged = StagedRecords()

    /// The type that came last through a node, and what it expects; most lists hold one type.
    private var recent: [Recent?] = []
    /// Arrays to reuse, one for each node: a node is not met again inside itself.
    private var spares: [Fields] = []

    private final class Recent {
        let type: TypeID
        /// `"__typename":"Film"`, of an abstract type.
        let name: [UInt8]
        let selections: WriteSelections
        let implementsNode: Bool

        init(type: TypeID, name: [UInt8], selections: WriteSelections, implementsNode: Bool) {
            self.type = type
            self.name = name
            self.selections = selections
            self.implementsNode = implementsNode
        }
    }

    /// The fields of the object that is being read.
    struct Fields {
        var values: [Value] = []
        /// The keys of the values; kept only once they are not the first ones that were expected, in order.
        var keys: [StorageKeyID] = []
        var isInOrder = true
    }

    init(
        plan: BoundPlan, scalars: [GeneratedCode.ScalarDecoder], customDataID: DataIDFunction?
    ) {
        self.plan = plan
        names = plan.names
        self.scalars = scalars
        self.customDataID = customDataID
    }

    /// Hands out what was read.
    mutating func takeStaged() -> StagedRecords {
        var result = StagedRecords()
        swap(&result, &staged)
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
        var fields = takeFields(node, selections)
        var identity: RecordID? = record
        try members(
            &cursor, &fields, selections, names.rootType, &identity,
            Place(parent: record, key: .init(index: 0), index: 0),
            scope: RecordTable.global, depth: depth)
        stage(record, names.rootType, selections, &fields)
        swap(&spares[node.ordinal], &fields)
    }

    // MARK: - Objects

    /// Reads an object from its brace and returns its record.
    mutating func object(
        _ cursor: inout JSONCursor, _ node: WriteNode, _ composite: BoundType.Composite, _ place: Place, depth: Int
    ) throws(JSONFailure) -> RecordID {
        guard depth < JSONCursor.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: JSONCursor.maximumDepth), offset: cursor.position)
        }
        let start = cursor.position
        cursor.position &+= 1
        cursor.skipSpace()
        let recent = try type(&cursor, node, composite, start: start)
        let scope = recent.implementsNode ? RecordTable.global : recent.type.index
        var identity: RecordID?
        if let customDataID {
            identity = try custom(customDataID, cursor, recent.selections, recent.type, depth: depth)
        }
        var fields = takeFields(node, recent.selections)
        try members(&cursor, &fields, recent.selections, recent.type, &identity, place, scope: scope, depth: depth)
        let record = identity ?? names.record(parent: place.parent, key: place.key, index: place.index)
        stage(record, recent.type, recent.selections, &fields)
        swap(&spares[node.ordinal], &fields)
        return record
    }

    @inline(__always)
    private mutating func takeFields(_ node: WriteNode, _ selections: WriteSelections) -> Fields {
        while spares.count <= node.ordinal { spares.append(Fields()) }
        var fields = Fields()
        swap(&spares[node.ordinal], &fields)
        // A record keeps this array: it is made as long as it must be.
        if fields.values.capacity < selections.fields.count { fields.values.reserveCapacity(selections.fields.count) }
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
            implementsNode: names.implementsNode(type, proposed: proposed)
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
        _ cursor: inout JSONCursor, _ fields: inout Fields, _ selections: WriteSelections, _ type: TypeID,
        _ identity: inout RecordID?, _ place: Place, scope: UInt32, depth: Int
    ) throws(JSONFailure) {
        var expected = 0
        var seen: UInt64 = 0
        if cursor.next == 0x7D {
            cursor.position &+= 1
        } else {
            repeat {
                guard
                    let index = try key(&cursor, selections, &expected, &seen, depth: depth)
                else { continue }
                let field = selections.fields[index]
                if field.isID {
                    let value = try id(&cursor, field, &identity, scope: scope)
                    add(index, value, &fields, selections)
                } else if field.child != nil {
                    if identity == nil {
                        identity = try lookAhead(cursor, selections, scope: scope, isSeen: index, place)
                    }
                    let value = try value(&cursor, field, parent: identity ?? place.parent, depth: depth)
                    add(index, value, &fields, selections)
                } else {
                    let value = try leaf(&cursor, field, depth: depth)
                    add(index, value, &fields, selections)
                }
            } while try cursor.continues(until: 0x7D)
        }
        if !selections.discriminators.isEmpty { learn(selections, type, seen) }
    }

    /// Reads a key and the colon; nil for a key that is no field, whose value is skipped.
    @inline(__always)
    private func key(
        _ cursor: inout JSONCursor, _ selections: WriteSelections, _ expected: inout Int, _ seen: inout UInt64,
        depth: Int
    ) throws(JSONFailure) -> Int? {
        let fields = selections.fields
        if expected < fields.count, cursor.hasBytes(fields[expected].quotedKey, at: cursor.position) {
            let index = expected
            cursor.position &+= fields[index].quotedKey.count
            expected &+= 1
            try cursor.expectColon()
            return index
        }
        return try unexpectedKey(&cursor, selections, &expected, &seen, depth: depth)
    }

    @inline(never)
    private func unexpectedKey(
        _ cursor: inout JSONCursor, _ selections: WriteSelections, _ expected: inout Int, _ seen: inout UInt64,
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
        if let index = selections.discriminators.firstIndex(where: { $0.quotedKey == quoted }), index < 64 {
            seen |= 1 << UInt64(index)
        }
        try cursor.skipValue(depth: depth &+ 1)
        return nil
    }

    @inline(__always)
    private func add(_ index: Int, _ value: Value, _ fields: inout Fields, _ selections: WriteSelections) {
        if fields.isInOrder {
            if index == fields.values.count {
                fields.values.append(value)
                return
            }
            fields.isInOrder = false
            fields.keys = selections.fields[0..<fields.values.count].map(\.key)
        }
        fields.keys.append(selections.fields[index].key)
        fields.values.append(value)
    }

    // MARK: - Identity

    /// Reads the `id` of an object, which decides its record unless something else has.
    @inline(__always)
    private mutating func id(
        _ cursor: inout JSONCursor, _ field: WriteField, _ identity: inout RecordID?, scope: UInt32
    ) throws(JSONFailure) -> Value {
        let start = cursor.position
        let value = try leaf(&cursor, field, depth: 0)
        if identity == nil, case .int(let number) = value {
            identity = names.names.withLock { $0.records.intern(Array(String(number).utf8), scope: scope) }
        } else if identity == nil, case .string(let text) = value {
            let range = cursor.byte(at: start) == 0x22 ? start &+ 1..<cursor.position &- 1 : start..<cursor.position
            identity = record(cursor, range, text, scope: scope)
        }
        return value
    }

    @inline(__always)
    private func record(_ cursor: JSONCursor, _ range: Range<Int>, _ text: String, scope: UInt32) -> RecordID? {
        // A text with escapes is shorter than its range.
        if text.utf8.count == range.count {
            return names.names.withLock { $0.records.intern(cursor, range, scope: scope) }
        }
        return names.names.withLock { $0.records.intern(Array(text.utf8), scope: scope) }
    }

    /// The record of an object whose first composite field comes before its `id`.
    @inline(never)
    private func lookAhead(
        _ cursor: JSONCursor, _ selections: WriteSelections, scope: UInt32, isSeen: Int, _ place: Place
    ) throws(JSONFailure) -> RecordID {
        if let idField = selections.idField {
            let wanted = selections.fields[idField].quotedKey
            var ahead = cursor
            try ahead.skipValue(depth: 1)
            while try ahead.continues(until: 0x7D) {
                let isID = ahead.hasBytes(wanted, at: ahead.position)
                _ = try ahead.string()
                try ahead.expectColon()
                let start = ahead.position
                guard isID else {
                    try ahead.skipValue(depth: 1)
                    continue
                }
                if ahead.next == 0x22 {
                    let token = try ahead.string()
                    if let record = record(cursor, token.range, cursor.text(token), scope: scope) { return record }
                } else if ahead.next != 0x6E {
                    try ahead.skipValue(depth: 1)
                    let text = cursor.text(start..<ahead.position)
                    if let record = record(cursor, start..<ahead.position, text, scope: scope) { return record }
                }
            }
        }
        return names.record(parent: place.parent, key: place.key, index: place.index)
    }

    /// Asks the application for the identity of the object whose first key is next.
    @inline(never)
    private func custom(
        _ function: DataIDFunction, _ cursor: JSONCursor, _ selections: WriteSelections, _ type: TypeID, depth: Int
    ) throws(JSONFailure) -> RecordID? {
        var ahead = cursor
        var scalars: [JSONValue.Member] = []
        if ahead.next != 0x7D {
            repeat {
                let token = try ahead.string()
                let quoted = Array("\"\(ahead.text(token))\"".utf8)
                try ahead.expectColon()
                let field = selections.fields.first { $0.quotedKey == quoted && $0.child == nil }
                if let field, ahead.next != 0x7B, ahead.next != 0x5B {
                    scalars.append(.init(names.name(of: field.key), try ahead.value(depth: depth)))
                } else {
                    try ahead.skipValue(depth: depth &+ 1)
                }
            } while try ahead.continues(until: 0x7D)
        }
        return function(TypeName(names.name(of: type)), .object(scalars)).flatMap { names.record($0, adding: true) }
    }

    // MARK: - Staging

    /// Notes which abstract types the object's type is of.
    private mutating func learn(_ selections: WriteSelections, _ type: TypeID, _ seen: UInt64) {
        for (index, discriminator) in selections.discriminators.enumerated() where index < 64 {
            let fact = Records.TypeFact(type: type, abstractType: discriminator.abstractType)
            if seen & (1 << UInt64(index)) != 0 {
                staged.facts[fact] = true
            } else if discriminator.parents.contains(where: { $0.map { seen & (1 << UInt64($0)) != 0 } ?? true }) {
                staged.facts[fact] = false
            }
        }
    }

    /// Adds an object to what is staged; fields that were staged before for the same record are overwritten.
    @inline(__always)
    private mutating func stage(
        _ record: RecordID, _ type: TypeID, _ selections: WriteSelections, _ fields: inout Fields
    ) {
        if fields.isInOrder, fields.values.count == 1, customDataID == nil, selections.idField == 0,
            selections.fields[0].kind == .id, staged.contains(record, type)
        {
            // A mere link: the record is in this answer already, under this very ID.
            fields.values.removeAll(keepingCapacity: true)
            return
        }
        let position = staged.positionAdding(record, type)
        if fields.isInOrder, let shape = selections.shape, shape.keys.count == fields.values.count {
            if staged.isNew(position) || staged.hasOnly(position, keysOf: shape) {
                staged.fill(position, shape, &fields.values)
                fields.values.removeAll(keepingCapacity: true)
                return
            }
            staged.overwrite(position, shape, fields.values, names)
            fields.values.removeAll(keepingCapacity: true)
            return
        }
        merge(position, selections, &fields)
    }

    private mutating func merge(
        _ position: Int, _ selections: WriteSelections, _ fields: inout Fields
    ) {
        if fields.isInOrder { fields.keys = selections.fields[0..<fields.values.count].map(\.key) }
        let names = names
        staged.modify(position) { entry in
            entry.set(fields.keys, fields.values, names)
        }
        fields.keys.removeAll(keepingCapacity: true)
        fields.values.removeAll(keepingCapacity: true)
        fields.isInOrder = true
    }
}
