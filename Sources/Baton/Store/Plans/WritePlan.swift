/// The selection sets of a normalization plan in the form that the normalizer uses: flattened for one object type at a
/// time.
///
/// The parts are made while responses are read, and are kept for later responses. One lock guards them, inside which
/// only the locks of names are taken.
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

    /// True if the data may have client fields, because it was made by hand.
    private let takesClientFields: Bool
    private let state = Guarded(State(), .plans)

    init(takesClientFields: Bool = false) { self.takesClientFields = takesClientFields }

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
        var builder = WriteSelectionsBuilder(
            plan: plan, writing: self, type: type, takesClientFields: takesClientFields)
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

/// The members are on the pointer, because a method of the field would get a copy.
extension UnsafePointer<WriteField> {
    /// True if text needs no conversion.
    @inline(__always)
    var takesText: Bool { pointee.kind == .text || pointee.kind == .id || pointee.kind == .unmapped }

    /// Returns true if the key and a colon stand at a position of a response.
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
    let writing: WritePlan
    let type: TypeID
    let takesClientFields: Bool
    var pending: [Pending] = []
    var positions: [String: Int] = [:]
    var discriminators: [WriteSelections.Discriminator] = []

    /// Adds the fields of a selection set. A condition on an abstract type counts as fulfilled: if it is not, the
    /// response has none of its fields.
    ///
    /// - Parameter isLater: True if this selection set, or one around it, arrives in a later payload.
    mutating func add(_ node: Int, under parent: Int?, isLater: Bool = false) {
        for index in plan.items(of: node) {
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .dataID, .spread: break
            // No response brings a client field. A field of that name in a response belongs to the server.
            case .leaf where isLeftOut(item), .composite where isLeftOut(item): break
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
                    // The discriminator of a deferred fragment arrives together with the fragment, so its absence
                    // proves nothing.
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

    private func isLeftOut(_ item: BoundPlan.Item) -> Bool { !takesClientFields && item.marks.contains(.client) }

    func finish() -> [WriteField] {
        let id = plan.names.key("id")
        return pending.map { field in
            WriteField(
                field.responseKey, field.key, field.type,
                field.children.isEmpty ? nil : writing.node(field.children, in: plan),
                isID: field.responseKey == "id" && field.key == id && field.children.isEmpty
                    && field.type.listDepth == 0,
                works: field.works, stream: field.stream
            )
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
