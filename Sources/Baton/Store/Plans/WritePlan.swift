/// The selection sets of a normalization plan in the form that the normalizer uses: flattened for one object type at a
/// time.
///
/// The parts are made while answers are read, and are kept for the next answers. They are guarded by one lock, inside
/// which only the locks of names are taken.
final class WritePlan: Sendable {
    private struct State {
        var nodes: [[UInt32]: WriteNode] = [:]
        var selections: [Key: WriteSelections] = [:]
        var count = 0
    }

    private struct Key: Hashable {
        let node: Int
        let type: TypeID
    }

    private let state = Guarded(State(), .plans)

    /// Returns the node for selection sets that apply to the same object.
    func node(_ sources: [UInt32], in plan: BoundPlan) -> WriteNode {
        state.withLock { state in
            if let known = state.nodes[sources] { return known }
            let node = WriteNode(ordinal: state.nodes.count, sources: sources)
            state.nodes[sources] = node
            return node
        }
    }

    /// Returns the fields to expect in an object of a type.
    func selections(_ node: WriteNode, for type: TypeID, in plan: BoundPlan) -> WriteSelections {
        let type = plan.conditionTypes.contains(type) ? type : TypeID.none
        let key = Key(node: node.ordinal, type: type)
        if let known = state.withLock({ $0.selections[key] }) { return known }
        var builder = WriteSelectionsBuilder(plan: plan, type: type)
        for source in node.sources { builder.add(Int(source), under: nil) }
        let fields = builder.finish()
        return state.withLock { state in
            if let known = state.selections[key] { return known }
            let selections = WriteSelections(
                ordinal: state.count, fields: fields, discriminators: builder.discriminators, names: plan.names)
            state.count += 1
            state.selections[key] = selections
            return selections
        }
    }
}

/// One or more selection sets that apply to the same object.
final class WriteNode: Sendable {
    /// The node's position among the nodes of its plan, an index for side tables.
    let ordinal: Int
    let sources: [UInt32]

    init(ordinal: Int, sources: [UInt32]) {
        self.ordinal = ordinal
        self.sources = sources
    }
}

/// A field of an object in an answer; it never changes.
struct WriteField: @unchecked Sendable {
    enum Kind: UInt8, Sendable {
        case int
        case float
        case text
        case boolean
        case id
        case unmapped
        case mapped
        case object
    }

    /// The response key in quotes, followed by a colon, as most servers send it.
    private let keyBytes: FixedBytes
    /// The first 16 bytes of the key, and a mask of the bytes in use. Most keys are not longer.
    fileprivate let words: SIMD2<UInt64>
    fileprivate let mask: SIMD2<UInt64>
    /// The length of `"key":`.
    let keyLength: Int
    /// A view of the bytes in `keyBytes`.
    fileprivate let keyView: UnsafeRawBufferPointer
    let key: StorageKeyID
    let kind: Kind
    let listDepth: Int
    let type: BoundType
    /// The position in the artifact of the conversion of a mapped scalar.
    let conversion: Int
    /// The type of the field's objects, and the node of their selection sets.
    let composite: BoundType.Composite?
    let child: WriteNode?
    /// The ordinal of `child`; below 0 if there is none.
    let childOrdinal: Int
    /// True if the field's type is an interface or a union.
    let isAbstract: Bool
    let isID: Bool
    /// What is done when an answer brings the field; nearly always empty.
    let works: [FieldWork]
    /// The label of the list whose items arrive later; nil for other fields.
    let stream: String?
    /// True if the field is worked on, or if its items arrive later.
    let hasWorks: Bool
    /// True if the record must be known before the value is read, because the field has a child or is worked on.
    let needsRecord: Bool
    /// True if the value can be read before the record is known. Its objects then ask for the record if they need it.
    let mayBeOpen: Bool
    /// True if the field is neither a list nor an object and is not worked on.
    let isPlain: Bool
    /// True if the field may be null and is not worked on.
    let isPlainNull: Bool

    init(
        _ responseKey: String, _ key: StorageKeyID, _ type: BoundType, _ child: WriteNode?, isID: Bool,
        works: [FieldWork], stream: String?
    ) {
        let bytes = Array("\"\(responseKey)\":".utf8)
        keyBytes = FixedBytes(bytes)
        keyView = keyBytes.view
        keyLength = bytes.count
        var words = SIMD2<UInt64>.zero
        var mask = SIMD2<UInt64>.zero
        for (index, byte) in bytes.prefix(16).enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
            mask[index / 8] |= 0xFF << UInt64(index % 8 * 8)
        }
        (self.words, self.mask) = (words, mask)
        self.key = key
        self.type = type
        listDepth = type.listDepth
        self.child = child
        childOrdinal = child?.ordinal ?? -1
        self.isID = isID
        self.works = works
        self.stream = stream
        hasWorks = !works.isEmpty || stream != nil
        needsRecord = child != nil || hasWorks
        mayBeOpen = child != nil && type.listDepth <= 1 && !hasWorks
        var composite: BoundType.Composite?
        var conversion = 0
        switch type.leaf {
        case .int: kind = .int
        case .float: kind = .float
        case .text: kind = .text
        case .boolean: kind = .boolean
        case .id: kind = .id
        case .unmapped: kind = .unmapped
        case .mapped(let position):
            kind = .mapped
            conversion = position
        case .object(let type):
            kind = .object
            composite = type
        }
        self.composite = composite
        isAbstract = composite?.isAbstract ?? false
        isPlain = type.listDepth == 0 && composite == nil && !hasWorks
        isPlainNull = !type.isNonNull(0) && !hasWorks
        self.conversion = conversion
    }
}

/// These are methods on the pointer, because a method of the field would get a copy.
extension UnsafePointer<WriteField> {
    /// True if text needs no conversion.
    @inline(__always)
    var takesText: Bool { pointee.kind == .text || pointee.kind == .id || pointee.kind == .unmapped }

    /// Returns true if the key and a colon stand at a position of an answer.
    @inline(__always)
    func isKey(at position: Int, of cursor: borrowing JSONCursor) -> Bool {
        guard let words = cursor.words(at: position) else { return cursor.hasBytes(pointee.keyView, at: position) }
        guard words & pointee.mask == pointee.words else { return false }
        if pointee.keyLength <= 16 { return true }
        return cursor.hasBytes(pointee.keyView, at: position)
    }

    /// Returns true if `key`, with escapes replaced, is the field's response key.
    func isNamed(_ key: UnsafeRawBufferPointer) -> Bool { pointee.isNamed(key) }
    /// Returns true if `key`, with escapes replaced, is the field's response key.
    func isNamed(_ key: [UInt8]) -> Bool { key.withUnsafeBytes { pointee.isNamed($0) } }
}

extension WriteField {
    /// Returns true if `key`, with escapes replaced, is the field's response key.
    func isNamed(_ key: UnsafeRawBufferPointer) -> Bool {
        key.count == keyLength &- 3 && keyView[1..<(keyLength - 2)].elementsEqual(key)
    }

    func isNamed(_ key: String) -> Bool { keyView[1..<(keyLength - 2)].elementsEqual(key.utf8) }
}

/// Bytes at a fixed address; they never change.
final class FixedBytes: @unchecked Sendable {
    /// The bytes; valid as long as this object lives.
    let view: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        copy.copyBytes(from: bytes)
        view = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
    }

    deinit { view.deallocate() }
}

/// The fields to expect in an object of one type, in the order in which a server sends them.
final class WriteSelections: Sendable {
    /// A type condition that the answer decides: the object has the key `__isX`, or it lacks the key.
    struct Discriminator: Sendable {
        let key: [UInt8]
        let abstractType: TypeID
        /// The enclosing discriminators by position; nil, which always counts as present, stands for none. The absence
        /// of the key proves something only if one of these discriminators is present.
        var parents: Set<Int?>
    }

    let ordinal: Int
    /// The fields; valid as long as this object lives.
    let fields: WriteFields
    let discriminators: [Discriminator]
    let hasDiscriminators: Bool
    /// The position of the field `id`.
    let idField: Int?
    /// True if there is a field `id` after other fields than `__typename`.
    let hasLateID: Bool
    /// True if `id` is the only field and is not worked on.
    let isMereLink: Bool
    /// True if `__typename` is selected like other fields.
    let hasTypename: Bool
    /// The shape of a record that got every field in order; nil if two fields have the same storage key.
    let shape: Shape?

    init(ordinal: Int, fields: [WriteField], discriminators: [Discriminator], names: NameTable) {
        self.ordinal = ordinal
        self.fields = WriteFields(fields)
        self.discriminators = discriminators
        hasDiscriminators = !discriminators.isEmpty
        idField = fields.firstIndex { $0.isID }
        hasLateID = fields.contains { $0.isID } && fields.first { !$0.isNamed("__typename") }?.isID == false
        hasTypename = fields.contains { $0.isNamed("__typename") }
        isMereLink = fields.count == 1 && fields[0].isID && fields[0].kind == .id && !fields[0].hasWorks
        let keys = fields.map(\.key)
        shape = Set(keys).count == keys.count ? names.shape(keys) : nil
    }

    deinit { fields.free() }
}

/// The fields of `WriteSelections`, valid as long as the selections live.
///
/// The fields lie in memory of their own. In an array or an object each use of a field would count references
/// (benchmark `ingest.vs-foundation`).
struct WriteFields: @unchecked Sendable {
    static let none = WriteFields([])

    let count: Int
    private let base: UnsafeMutablePointer<WriteField>

    fileprivate init(_ fields: [WriteField]) {
        count = fields.count
        base = .allocate(capacity: max(count, 1))
        base.initialize(from: fields, count: count)
    }

    fileprivate func free() {
        base.deinitialize(count: count)
        base.deallocate()
    }

    /// Returns a field; the index is checked.
    @inline(__always)
    subscript(index: Int) -> UnsafePointer<WriteField> {
        precondition(index >= 0 && index < count)
        return UnsafePointer(base + index)
    }

    /// Returns the position of a field. The search starts at the expected position and then turns to the earlier
    /// fields, because an answer leaves out the fields of conditions that do not hold.
    func index(of key: UnsafeRawBufferPointer, from expected: Int) -> Int? {
        let start = min(expected, count)
        return (start..<count).first { base[$0].isNamed(key) } ?? (0..<start).first { base[$0].isNamed(key) }
    }

    /// Returns the position of the field with a response key.
    func index(of key: String) -> Int? { (0..<count).first { base[$0].isNamed(key) } }
}

private struct WriteSelectionsBuilder {
    struct Pending {
        let responseKey: String
        let key: StorageKeyID
        let type: BoundType
        var children: [UInt32]
        var works: [FieldWork] = []
        var stream: String?

        mutating func add(_ marks: BoundMarks) {
            if let handle = marks.handle,
                !works.contains(where: {
                    if case .copy(let known) = $0 { known.storageKey == handle.storageKey } else { false }
                })
            {
                works.append(.copy(handle))
            }
            if let mutation = marks.mutation,
                !works.contains(where: { if case .mutation(mutation) = $0 { true } else { false } })
            {
                works.append(.mutation(mutation))
            }
        }
    }

    let plan: BoundPlan
    let type: TypeID
    var pending: [Pending] = []
    var positions: [String: Int] = [:]
    var discriminators: [WriteSelections.Discriminator] = []

    /// Adds the fields of a selection set. A condition on an abstract type counts as fulfilled: if it is not, the
    /// answer has none of its fields.
    ///
    /// - Parameter isLater: True if this selection set, or one around it, arrives later.
    mutating func add(_ node: Int, under parent: Int?, isLater: Bool = false) {
        for index in plan.items(of: node) {
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .dataID, .spread: break
            // No answer brings a client field. A field of that name in an answer is something else.
            case .leaf where item.marks.contains(.client), .composite where item.marks.contains(.client): break
            case .leaf, .composite:
                let responseKey = plan.responseKeys[index]
                let children = item.kind == .composite ? [item.child] : []
                let position = positions[responseKey] ?? pending.count
                if position < pending.count {
                    for child in children where !pending[position].children.contains(child) {
                        pending[position].children.append(child)
                    }
                } else {
                    positions[responseKey] = position
                    pending.append(
                        .init(responseKey: responseKey, key: item.key, type: plan.types[index], children: children))
                }
                if let marks = plan.marks[index] {
                    pending[position].add(marks)
                    if item.marks.contains(.stream) { pending[position].stream = marks.label }
                }
            case .inline:
                let isLater = isLater || item.marks.contains(.deferred)
                guard let condition = item.condition else {
                    add(Int(item.child), under: parent, isLater: isLater)
                    break
                }
                if item.isAbstract {
                    let position: Int
                    // The discriminator of a later fragment arrives with the fragment, so the lack of it proves
                    // nothing.
                    let parents: Set<Int?> = isLater ? [] : [parent]
                    if let known = discriminators.firstIndex(where: { $0.abstractType == condition }) {
                        position = known
                        discriminators[known].parents.formUnion(parents)
                    } else {
                        position = discriminators.count
                        let key = Array("__is\(plan.names.name(of: condition))".utf8)
                        discriminators.append(.init(key: key, abstractType: condition, parents: parents))
                    }
                    add(Int(item.child), under: position, isLater: isLater)
                } else if condition == type {
                    add(Int(item.child), under: parent, isLater: isLater)
                }
            }
        }
    }

    func finish() -> [WriteField] {
        let id = plan.names.key("id")
        return pending.map { field in
            WriteField(
                field.responseKey, field.key, field.type,
                field.children.isEmpty ? nil : plan.writing.node(field.children, in: plan),
                isID: field.responseKey == "id" && field.key == id && field.children.isEmpty
                    && field.type.listDepth == 0,
                works: field.works, stream: field.stream
            )
        }
    }
}
