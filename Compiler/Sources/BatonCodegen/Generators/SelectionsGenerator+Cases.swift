import BatonSchema
import BatonTransforms

// The enum with a case for each type condition of a set, over which a `switch` is complete.

extension SelectionsGenerator {
    /// An inline fragment of a set.
    struct Branch {
        let type: SchemaType
        /// The property and the struct of the inline fragment.
        let property: String
        let structure: String
        let inline: SelectionPlan.Inline
    }

    /// The enum of a set with inline fragments, and the property that returns it, with their names.
    ///
    /// An object may match several conditions. Its case is then that of the condition with the fewest types, whose
    /// struct has the most fields.
    mutating func cases(
        _ branches: [Branch], of structure: String, property: String, type: String
    ) -> (property: SwiftDeclaration, type: SwiftDeclaration) {
        var scope = NameScope(reserved: ["other", "self", "_"])
        var named: [(branch: Branch, name: String)] = []
        for branch in ordered(branches) {
            let wanted = SwiftName.enumCase(options.types[branch.type.name]?.name ?? branch.type.name)
            let name = claim(wanted, &scope, branch.inline.span, "case of type '\(branch.type.name)'")
            named.append((branch, name))
        }
        let cases = named.map { SwiftEnumCase($0.name, payload: [.named($0.branch.structure)]) }
        let other = SwiftEnumCase("other", payload: [.named(structure)])
        let declaration = SwiftTypeDeclaration(
            SwiftHead(modifiers: options.modifiers), .enum, type, [.named("Sendable")],
            members: [
                .enumCases(SwiftHead(), cases), .enumCases(SwiftHead(documentation: Self.aboutOther), [other]),
            ])
        let binding = SwiftExpression.name("object")
        let choices = named.map { branch, name in
            SwiftStatement.Choice(
                binding: "object", value: .name(branch.property),
                body: .call(.member(nil, name), [SwiftArgument(nil, binding)]))
        }
        let otherwise = SwiftExpression.call(.member(nil, "other"), [SwiftArgument(nil, .selfReference)])
        let getter = SwiftVariable(
            SwiftHead(modifiers: options.modifiers), isConstant: false, property, .named(type),
            getter: [.choice(choices, otherwise: otherwise)])
        return (.variable(getter), .type(declaration))
    }

    /// The documentation of the case `other` in generated code.
    private static let aboutOther =
        "A type without a case here, such as a newer one, or an object whose case lacks required data."

    /// The branches by their numbers of possible types, the smallest number first. Of two branches with equal numbers,
    /// a subtype stands before its supertype. Other branches keep their order in the document.
    private func ordered(_ branches: [Branch]) -> [Branch] {
        let sizes = branches.map { leaves.schema.possibleTypes(of: $0.type).count }
        let order = branches.indices.sorted { left, right in
            if sizes[left] != sizes[right] { return sizes[left] < sizes[right] }
            let isNarrower = leaves.schema.isSubtype(branches[left].type, of: branches[right].type)
            let isWider = leaves.schema.isSubtype(branches[right].type, of: branches[left].type)
            return isNarrower == isWider ? left < right : isNarrower
        }
        return order.map { branches[$0] }
    }
}
