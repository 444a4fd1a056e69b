import BatonTransforms

// The struct `Fragments`, with a reference for each fragment that a set spreads.

extension SelectionsGenerator {
    /// Generates the struct; nil if the set spreads nothing.
    mutating func fragmentsStructure(_ plan: SelectionPlan) -> SwiftTypeDeclaration? {
        var scope = NameScope(reserved: ["__row", "self", "_"])
        var references: [SwiftDeclaration] = []
        for (position, item) in plan.items.enumerated() {
            guard case .spread(let spread) = item else { continue }
            let type = names.fragment(spread.fragment)
            let name = claim(SwiftName.lowercasingFirst(type), &scope, spread.span, "reference to '\(spread.fragment)'")
            let reference = SwiftType.generic("FragmentReference", [.named(type)])
            let isRequired = spread.typeCondition == nil && spread.condition.isAlways
            references.append(
                computed(
                    name,
                    isRequired ? reference : .optional(reference),
                    read("fragment", isRequired: isRequired, at: position)
                )
            )
        }
        if references.isEmpty { return nil }
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.modifiers),
            .struct,
            "Fragments",
            [.named("GeneratedCode.Spreads")],
            members: rowMembers + references
        )
    }
}
