extension GeneratedCode {
    /// An object of a response that is made by hand: the root, an object of a field, or the fields under a type
    /// condition.
    public protocol RawSelections: GeneratedCode.Input {
        /// The fields by their response keys. The fields under a type condition are an object with the name `...`.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __fields: InputFields { get }
    }
}

extension GeneratedCode.RawSelections {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// An object of the fields that were not left out, with those under type conditions.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var __input: GeneratedCode.InputValue {
        var members: [JSONValue.Member] = []
        for (name, item) in __fields.members {
            if case .absent = item { continue }
            let value = item.jsonValue(levels: .max) ?? .null
            if name != "..." {
                members.merge(.init(String(name), value))
            } else if case .object(let added) = value {
                for member in added { members.merge(member) }
            }
        }
        return .init(.json(.object(members)))
    }
}

extension GeneratedCode.InputFields {
    /// Adds an object of a response.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public mutating func addSelections<Object: GeneratedCode.RawSelections>(_ value: GraphQLInput<Object>) {
        add(value) { $0.__input.item }
    }
}

extension [JSONValue.Member] {
    /// Adds a member. A field that is selected beside and under a type condition is one field with both selections.
    fileprivate mutating func merge(_ member: JSONValue.Member) {
        guard let index = firstIndex(where: { $0.name == member.name }) else { return append(member) }
        self[index] = .init(member.name, self[index].value.merging(member.value))
    }
}

extension JSONValue {
    /// Returns the members of both objects. The recursion is bounded by the depth of one operation's selections.
    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        switch (self, other) {
        case (.object(var members), .object(let others)):
            for member in others { members.merge(member) }
            return .object(members)
        case (.array(let items), .array(let others)) where items.count == others.count:
            return .array(zip(items, others).map { $0.merging($1) })
        default: return other
        }
    }
}
