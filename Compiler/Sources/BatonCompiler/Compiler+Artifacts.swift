import BatonCodegen
import BatonDiagnostics
import BatonSchema

extension Compiler {
    /// Generates the artifacts; returns nil if this stage or an earlier one has reported an error.
    package mutating func generate(_ compilation: Compilation, _ configuration: Configuration) -> [GeneratedFile]? {
        reportUnknownScalars(configuration, compilation)
        let ageLimits = compilation.ageLimits(compilation.isSchemaUsable ? configuration.maxAge : [:])
        report(ageLimits.diagnostics)
        guard !hasErrors else { return nil }
        // Headers show paths relative to the configuration, so that artifacts do not depend on the working directory.
        let workingDirectory = workingDirectory
        var compilation = compilation
        compilation.artifactPath = { path in
            AbsolutePath(path, relativeTo: workingDirectory).relative(to: configuration.directory)
        }
        let result = compilation.generate(options(configuration), ageLimits: ageLimits.limits)
        report(result.diagnostics)
        return hasErrors ? nil : result.files
    }

    private mutating func reportUnknownScalars(_ configuration: Configuration, _ compilation: Compilation) {
        guard compilation.isSchemaUsable else { return }
        let scalars = compilation.schema.types.filter { $0.kind == .scalar }
        let names = scalars.filter { !$0.isPredeclared }.map(\.name)
        for (name, scalar) in configuration.scalars where !scalars.contains(where: { $0.name == name }) {
            report([
                Diagnostic(
                    .unknownScalar,
                    severity: .warning,
                    "the schema has no scalar '\(name)'",
                    at: scalar.span,
                    suggestion: Spelling.question(for: name, among: names)
                )
            ])
        }
    }

    private func options(_ configuration: Configuration) -> GenerationOptions {
        let scalars = configuration.scalars.mapValues { scalar in
            ScalarMapping(
                type: scalar.type,
                module: scalar.module == configuration.module ? nil : scalar.module,
                conversion: scalar.conversion,
                conversionModule: scalar.conversionModule == configuration.module ? nil : scalar.conversionModule
            )
        }
        return GenerationOptions(
            access: configuration.access, scalars: scalars, documentation: configuration.documentation,
            initializers: configuration.initializers, hashable: configuration.hashable)
    }
}
