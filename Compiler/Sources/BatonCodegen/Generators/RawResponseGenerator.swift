import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonTransforms

/// Generates the struct `RawResponse` of an operation with `@raw_response_type`, and the structs nested in it.
///
/// The struct follows the normalization plan: fragments are inlined, and fields that the compiler adds are arguments
/// too. A struct has an initializer and its values, and no properties for reading.
struct RawResponseGenerator {
    private let leaves: LeafTypes
    private let options: GenerationOptions
    /// The top-level type of the operation.
    private let definition: String
    /// The top-level types to which the structs refer. No nested type may have one of these names.
    private let referenced: Set<String>
    /// The leaf types of the plan.
    let leafTypes: Set<LeafTypes.Leaf>

    init(leaves: LeafTypes, options: GenerationOptions, plan: SelectionPlan, definition: String) {
        self.leaves = leaves
        self.options = options
        self.definition = definition
        var used: Set<LeafTypes.Leaf> = []
        leaves.collect(plan, into: &used)
        leafTypes = used
        referenced = Set(used.flatMap(leaves.referencedNames))
    }

    /// The struct of the root.
    func structure(_ plan: SelectionPlan) -> SwiftTypeDeclaration {
        var root = structure("RawResponse", plan, typename: nil, tags: [])
        let head = SwiftHead(modifiers: options.modifiers)
        root.inheritance.insert(.named("GeneratedCode.RawResponse"), at: 0)
        root.lead.insert(.typealias(head, "Operation", .named(definition)), at: 0)
        return root
    }

    /// The struct for the objects of a field. An object of an abstract type states its type.
    private func structure(_ name: String, of plan: SelectionPlan) -> SwiftTypeDeclaration {
        let typename = plan.type.isAbstract ? leaves.schema.field(named: "__typename", on: plan.type) : nil
        return structure(name, plan, typename: typename, tags: [])
    }

    /// The struct for the items under a type condition. A field of its own shows that an object is of an abstract type.
    private func structure(_ name: String, of inline: SelectionPlan.Inline) -> SwiftTypeDeclaration {
        let tags = inline.type.isAbstract ? [Self.tag(of: inline.type)] : []
        return structure(name, inline.selections, typename: nil, tags: tags)
    }

    /// The depth limit of `Flatten` bounds the recursion.
    private func structure(
        _ name: String, _ plan: SelectionPlan, typename: SchemaField?, tags: [String]
    ) -> SwiftTypeDeclaration {
        var scope = NameScope(reserved: ReservedNames.selectionProperties)
        var typeScope = NameScope(reserved: ReservedNames.nestedTypes, referenced, [definition, "Operation"])
        var members = typename.map { [Member($0.name, $0.type, isRequired: true, name: $0.name)] } ?? []
        var nested: [SwiftDeclaration] = []
        let (items, settled) = settledItems(of: plan)
        for item in items {
            switch item {
            case .field(let field):
                // No server answers a client field, so nothing expects it.
                let isRequired = field.type.isNonNull && field.condition.isAlways && !field.isClient
                let name = scope.claim(field.responseKey)
                var member = Member(field.responseKey, field.type, isRequired: isRequired, name: name)
                if let inner = field.selections {
                    let wanted = NestedTypeName.name(
                        forKey: field.responseKey, isList: field.type.isList, typeName: inner.type.name)
                    let structure = typeScope.claim(wanted)
                    member.structure = structure
                    nested.append(.type(self.structure(structure, of: inner)))
                }
                members.append(member)
            case .inline(let inline):
                let wanted = SwiftName.uppercasingFirst(inline.type.name)
                let structure = typeScope.claim("As" + wanted)
                members.append(
                    Member(
                        "...", TypeReference(inline.type.id), isRequired: false, name: scope.claim("as" + wanted),
                        structure: structure))
                nested.append(.type(self.structure(structure, of: inline)))
            case .spread: continue
            }
        }
        let values = InputMembers(named: members, leaves: leaves, options: options)
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.modifiers), .struct, name, [.named("GeneratedCode.RawSelections")],
            lead: [values.storage], members: [values.initializer(tags: tags + settled)] + nested)
    }

    /// The items of a set and those under conditions that its type implies, and the fields that show this type.
    private func settledItems(of plan: SelectionPlan) -> (items: [SelectionPlan.Item], tags: [String]) {
        var items: [SelectionPlan.Item] = []
        var tags: [String] = []
        var keys = Set(plan.fields.map(\.responseKey))
        for item in plan.items {
            guard case .inline(let inline) = item, inline.condition.isAlways,
                leaves.schema.isSubtype(plan.type, of: inline.type),
                inline.selections.items.allSatisfy({ if case .field = $0 { true } else { false } }),
                keys.isDisjoint(with: inline.selections.fields.map(\.responseKey))
            else {
                items.append(item)
                continue
            }
            items += inline.selections.items
            keys.formUnion(inline.selections.fields.map(\.responseKey))
            if inline.type.isAbstract { tags.append(Self.tag(of: inline.type)) }
        }
        return (items, tags)
    }

    private static func tag(of type: SchemaType) -> String { "__is" + type.name }
}

private typealias Member = InputMembers.Member

extension InputMembers.Member {
    fileprivate init(
        _ key: String, _ reference: TypeReference, isRequired: Bool, name: String, structure: String? = nil
    ) {
        self.init(
            graphQLName: key, reference: reference, isRequired: isRequired, span: .none, structure: structure,
            name: name)
    }
}
