import BatonIR
import BatonTransforms

// The references of the fragments that a set spreads: an extension of `GeneratedCode.FragmentReferences` for the struct
// of the set.

extension SelectionsGenerator {
    /// Generates the extension for the struct with a qualified name; nil if the set has no spreads.
    mutating func references(_ plan: SelectionPlan, of structure: String) -> SwiftDeclaration? {
        var scope = NameScope(reserved: ["__row", "self", "_"])
        var references: [SwiftDeclaration] = []
        for (position, item) in plan.items.enumerated() {
            guard case .spread(let spread) = item else { continue }
            let type = names.fragment(spread.fragment)
            let wanted = spread.alias ?? SwiftName.lowercasingFirst(type)
            let name = claim(wanted, &scope, spread.span, "reference to '\(spread.fragment)'")
            let isDeferred = spread.deferral != nil
            let reference = SwiftType.generic(isDeferred ? "DeferredReference" : "FragmentReference", [.named(type)])
            let isRequired = spread.typeCondition == nil && spread.condition.isAlways
            let head = SwiftHead(modifiers: options.topLevelModifiers)
            let method = isDeferred ? "deferredFragment" : "fragment"
            let value = read(method, isRequired: isRequired, .name("__row"), at: position)
            let property = SwiftVariable(
                head,
                isConstant: false,
                name,
                isRequired ? reference : .optional(reference),
                getter: [.expression(value)]
            )
            references.append(.variable(property))
        }
        if references.isEmpty { return nil }
        return .extension(
            SwiftExtension(
                .named(ModuleSize.references),
                where: (.named("__Selections"), .named(structure)),
                members: references
            )
        )
    }
}
