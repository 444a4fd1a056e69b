import BatonIR
import BatonTransforms

// The request of a query with `@preloadable`.

extension DefinitionGenerator {
    /// The file of the query's parameters, which uses no other code of the query; nil without `@preloadable`.
    mutating func parametersFile(
        for compiled: CompiledOperation, digest: String?, texts: inout OperationTextPrinter
    ) -> GeneratedFile? {
        let operation = compiled.operation
        guard let name = names.parameters(operation.name) else { return nil }
        var imports = ImportCollector(options: options)
        // The query's own file reports wrong names of variables.
        var silent = self
        let members = silent.members(of: operation, names.operation(operation.name))
        for leaf in members.leafTypes { imports.use(leaf, publicly: true) }
        let parameters = constant(
            "parameters", "GeneratedCode.RequestParameters",
            request(compiled, texts: &texts) + provided(operation.provided, imports: &imports))
        let declaration = SwiftTypeDeclaration(
            SwiftHead(documentation: options.comment(operation.description), modifiers: options.topLevelModifiers),
            .struct, name, [.named("GeneratedCode.PreloadableQuery"), .named("Hashable")],
            members: [parameters] + call(members))
        return SwiftFile.generated(
            name, source: operation.path, definition: digest, imports: imports.imports, [.type(declaration)])
    }
}
