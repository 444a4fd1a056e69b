import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonTransforms

/// Generates the struct `RawResponse` of an operation with `@raw_response_type`, and the structs nested in it.
///
/// It follows the normalization plan: fragments are inlined, and what the compiler asks for is an argument. A struct
/// has an initializer and the values, and nothing to read.
struct RawResponseGenerator {
    private let leaves: LeafTypes
    private let options: GenerationOptions
    /// The top-level type of the operation.
    private let definition: String
    /// The top-level types that the structs refer to; no nested type may have one of these names.
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

    /// The struct of the objects of a field. An object of an abstract type says which type it has.
    private func structure(_ name: String, of plan: SelectionPlan) -> SwiftTypeDeclaration {
        let typename = plan.type.isAbstract ? leaves.schema.field(named: "__typename", on: plan.type) : nil
        return structure(name, plan, typename: typename, tags: [])
    }

    /// The struct of what a type condition adds. That an object is of an abstract type is shown by a field of its own.
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
                if field.isClient { continue }
                let isRequired = field.type.isNonNull && field.condition.isAlways
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

    /// The items of a set, with those under conditions that its type settles, and the fields that show that type.
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
