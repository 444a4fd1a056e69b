import BatonIR
import BatonSchema

/// The parts of artifacts that ask providers for values.
struct ProvidedValues {
    let leaves: LeafTypes
    let options: GenerationOptions

    /// The argument `provided` of an artifact; none without provided variables.
    func argument(for variables: [ProvidedVariable], imports: inout ImportCollector) -> [SwiftArgument] {
        if variables.isEmpty { return [] }
        let values = variables.compactMap { value(of: $0, imports: &imports) }
        return [SwiftArgument("provided", .array(values))]
    }

    private func value(
        of variable: ProvidedVariable, imports: inout ImportCollector
    ) -> SwiftExpression? {
        // `CodeGenerator` reports a provider without a type.
        guard let mapping = options.provider(named: variable.provider) else { return nil }
        if let module = mapping.module { imports.use(module: module) }
        let leaf = leaves.leaf(variable.type)
        imports.use(leaf, publicly: false)
        let type = LeafTypes.unwrapped(variable.type, innermost: leaf.type)
        var arguments = [
            SwiftArgument(nil, .string(variable.name)),
            SwiftArgument(nil, .metatype(variable.type.isNonNull ? type : .optional(type))),
            SwiftArgument(nil, .metatype(.named(mapping.type))),
        ]
        if case .mapped(_, let scalar) = leaf {
            let sent = InputMembers.sent(.closureArgument, variable.type, scalar)
            arguments.append(SwiftArgument(nil, .closure(sent), isTrailing: true))
        }
        return .call(.name("GeneratedCode.ProvidedVariable"), arguments)
    }
}
