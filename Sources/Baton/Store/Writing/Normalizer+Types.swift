// Finds the type of an object.

extension Normalizer {
    /// Returns the state for the type of an object. The type comes from the plan or from `__typename`. If `__typename`
    /// comes first, as it usually does, `typenameEnd` becomes the position after it.
    @inline(__always)
    mutating func type(
        _ cursor: JSONCursor, _ field: UnsafePointer<WriteField>, start: Int, _ typenameEnd: inout Int
    ) throws(JSONFailure) -> NodeStates.State {
        let node = field.pointee.childOrdinal
        if let state = nodes[node], state.pointee.isIdentifying {
            if let name = cursor.startOfTypename(at: cursor.position) {
                if cursor.hasBytes(state.pointee.typename, at: name), state.pointee.typename.count > 0 {
                    typenameEnd = name &+ state.pointee.typename.count
                    return state
                }
                if field.pointee.isAbstract, let known = nodes.use(node, where: { cursor.isTypename(name, of: $0) }) {
                    typenameEnd = name &+ known.pointee.typename.count
                    return known
                }
            }
            if !field.pointee.isAbstract { return state }
        }
        return try newType(cursor, field, start: start)
    }

    @inline(never)
    private mutating func newType(
        _ cursor: JSONCursor, _ field: UnsafePointer<WriteField>, start: Int
    ) throws(JSONFailure) -> NodeStates.State {
        guard let composite = field.pointee.composite, let node = field.pointee.child else {
            // A field without selections cannot be an object.
            throw JSONFailure(
                .unexpectedValue(expected: field.pointee.type.text, found: "an object"), offset: start)
        }
        var type = composite.type
        var proposed = composite.implementsNode
        if composite.isAbstract {
            var ahead = cursor
            guard let token = try Self.find("__typename", &ahead) else {
                throw JSONFailure(.missingTypename(expected: composite.name), offset: start)
            }
            if !token.hasEscapes,
                let known = nodes.use(node.ordinal, where: { cursor.isTypename(token.start &- 1, of: $0) })
            {
                return known
            }
            type = names.type(cursor.text(token))
            proposed = composite.implementsNode || composite.nodes.contains(type)
        }
        if let known = nodes.use(node.ordinal, where: { $0.pointee.type == type && $0.pointee.isIdentifying }) {
            return known
        }
        let name = names.name(of: type)
        let selections = writing.selections(node, for: type, in: plan)
        let fieldNames = customDataID.map { _ in
            (0..<selections.fields.count).map { names.name(of: selections.fields[$0].pointee.key) }
        }
        return nodes.add(
            node.ordinal,
            NodeState(
                type, name, selections,
                prefix: names.implementsNode(type, proposed: proposed) ? "" : "\(name):",
                isAbstract: composite.isAbstract, fieldNames: fieldNames))
    }

    /// Looks ahead for a string member of the object whose first key is next.
    private static func find(_ name: StaticString, _ cursor: inout JSONCursor) throws(JSONFailure) -> JSONCursor
        .StringToken?
    {
        guard cursor.next != 0x7D else { return nil }
        repeat {
            let key = try cursor.string()
            try cursor.expectColon()
            if cursor.isEqual(key, "\(name)") {
                guard cursor.next == 0x22 else {
                    // If the body ends here, the JSON is malformed; it is no object without a type.
                    try cursor.skipValue(depth: 1)
                    return nil
                }
                return try cursor.string()
            }
            try cursor.skipValue(depth: 1)
        } while try cursor.continues(until: 0x7D)
        return nil
    }
}

extension JSONCursor {
    /// Returns true if the state's type name stands at a position.
    @inline(__always)
    func isTypename(_ start: Int, of state: UnsafeMutablePointer<NodeState>) -> Bool {
        state.pointee.typename.count > 0 && hasBytes(state.pointee.typename, at: start)
    }
}
