import BatonIR
import BatonSchema

/// Adds `id` to the end of every selection set on objects that have an `id`.
///
/// Before:
///
///     { hero { name } search { ... on Film { title } } }
///
/// After, where `Character` has an `id` and the union of search results has members that implement `Node`:
///
///     { hero { name id } search { ... on Film { title } ... on Node { id } } }
///
/// A member of a union, or of an interface without `id`, may have an `id` without implementing `Node`; it gets `... on
/// Member { id }`. An `id` is a field whose named type is `ID`. The top-level sets of operations and fragments get no
/// `id`, because the set around a spread has one. A set that selects `id` itself, without an alias and without a
/// condition, gets none either.
///
/// Key fields are added after the `id`, for types that have some, in the same way: directly, or in a fragment on each
/// member.
package struct GenerateIDs {
    private let schema: Schema
    private let keys: KeyFields
    private var generated: [TypeID: [TypedSelection]] = [:]

    package init(schema: Schema, keys: KeyFields) {
        self.schema = schema
        self.keys = keys
    }

    package mutating func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                let type = schema.namedType(of: field.definition.type)
                guard type.isComposite else { return selection }
                let hasID = field.selections.contains { $0.isDirect(schema.names.nodeInterfaceIDField) }
                let keys = keySelections(of: type, besides: field.selections)
                field.selections = transform(field.selections) + (hasID ? [] : identity(of: type)) + keys
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = transform(inline.selections)
                return .inlineFragment(inline)
            case .spread: return selection
            }
        }
    }

    /// Whether `id` or a key field is added below a field, for at least one type of its objects.
    package func identifies(_ field: SchemaField) -> Bool {
        let type = schema.namedType(of: field.type)
        return type.isComposite && !(makeIdentity(of: type).isEmpty && keySelections(of: type, besides: []).isEmpty)
    }

    private mutating func identity(of type: SchemaType) -> [TypedSelection] {
        if let known = generated[type.id] { return known }
        let selections = makeIdentity(of: type)
        generated[type.id] = selections
        return selections
    }

    private func makeIdentity(of type: SchemaType) -> [TypedSelection] {
        if let field = identifier(of: type) { return [selection(of: field)] }
        guard type.isAbstract else { return [] }
        let members = schema.possibleTypes(of: type)
        var selections: [TypedSelection] = []
        let node = schema.nodeInterface
        if let node, let field = identifier(of: node), members.contains(where: { schema.implements($0, node) }) {
            selections.append(.inlineFragment(.init(type: node, selections: [selection(of: field)])))
        }
        for member in members.sorted(by: { $0.name < $1.name }) {
            if let node, schema.implements(member, node) { continue }
            guard let field = identifier(of: member) else { continue }
            selections.append(.inlineFragment(.init(type: member, selections: [selection(of: field)])))
        }
        return selections
    }

    // MARK: - Key fields

    /// The key fields that a set on a type does not select directly.
    private func keySelections(of type: SchemaType, besides selections: [TypedSelection]) -> [TypedSelection] {
        if keys.isEmpty { return [] }
        if !type.isAbstract { return keySelections(on: type, besides: selections) }
        return schema.possibleTypes(of: type).sorted { $0.name < $1.name }.compactMap { member in
            let own = keySelections(on: member, besides: selections)
            return own.isEmpty ? nil : .inlineFragment(.init(type: member, selections: own))
        }
    }

    private func keySelections(on type: SchemaType, besides selections: [TypedSelection]) -> [TypedSelection] {
        guard let key = keys.key(of: type) else { return [] }
        return key.fields.compactMap { name in
            // The list `identity` contains the identifier.
            if name == schema.names.nodeInterfaceIDField, identifier(of: type) != nil { return nil }
            if selections.contains(where: { $0.isDirect(name) }) { return nil }
            return type.field(named: name).map(selection)
        }
    }

    private func identifier(of type: SchemaType) -> SchemaField? {
        guard let field = type.field(named: schema.names.nodeInterfaceIDField), !field.isClientOnly,
            schema.namedType(of: field.type).name == "ID", !field.arguments.contains(where: \.isRequired)
        else { return nil }
        return field
    }

    private func selection(of field: SchemaField) -> TypedSelection {
        .field(TypedField(responseKey: field.name, definition: field, isGenerated: true))
    }
}

extension TypedSelection {
    /// Whether this is a field of the name without an alias and without a condition.
    func isDirect(_ name: String) -> Bool {
        guard case .field(let field) = self else { return false }
        return field.responseKey == name && field.definition.name == name && !field.directives.haveConditions
            && field.condition.isAlways
    }
}
