import BatonIR
import BatonSchema

/// Adds `id` to the beginning of every selection set on objects that have an `id`.
///
/// Before:
///
///     { hero { name } search { ... on Film { title } } }
///
/// After, where `Character` has an `id` and the union of search results has members that implement `Node`:
///
///     { hero { id name } search { ... on Node { id } ... on Film { title } } }
///
/// A member of a union, or of an interface without `id`, may have an `id` without implementing `Node`; it gets `... on
/// Member { id }`. No `id` is added if it needs arguments, or if its type would conflict with another `id` in the same
/// set. The top-level sets of fragments get none, because the set around a spread has one.
///
/// Runs after `SkipClientFields` and before `Flatten`, which merges the `id` with one of the document.
package struct GenerateIDs {
    private let schema: Schema
    private var generated: [TypeID: [TypedSelection]] = [:]

    package init(schema: Schema) {
        self.schema = schema
    }

    package mutating func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                let type = schema.namedType(of: field.definition.type)
                guard type.isComposite else { return selection }
                field.selections = identity(of: type) + transform(field.selections)
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = transform(inline.selections)
                return .inlineFragment(inline)
            case .spread: return selection
            }
        }
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
        var idType: TypeReference?
        let node = schema.nodeInterface
        if let node, let field = identifier(of: node), members.contains(where: { schema.implements($0, node) }) {
            idType = field.type
            selections.append(.inlineFragment(.init(type: node, selections: [selection(of: field)])))
        }
        for member in members {
            if let node, schema.implements(member, node) { continue }
            guard let field = identifier(of: member), idType == nil || idType == field.type else { continue }
            idType = field.type
            selections.append(.inlineFragment(.init(type: member, selections: [selection(of: field)])))
        }
        return selections
    }

    private func identifier(of type: SchemaType) -> SchemaField? {
        guard let field = type.field(named: "id"), !field.isClientOnly, !field.type.isList,
            schema.namedType(of: field.type).isLeaf, !field.arguments.contains(where: \.isRequired)
        else { return nil }
        return field
    }

    private func selection(of field: SchemaField) -> TypedSelection {
        .field(TypedField(responseKey: "id", definition: field, isGenerated: true))
    }
}
