import BatonCodegen
import BatonDiagnostics
import BatonIR
import BatonSchema

extension Compiler {
    /// Generates the artifacts; returns nil if this stage or an earlier one has reported an error.
    package mutating func generate(_ compilation: Compilation, _ configuration: Configuration) -> [GeneratedFile]? {
        generation(compilation, configuration)?.files
    }

    /// Generates the artifacts, with what else is known then. With `part` only those of a part of the project, whose
    /// documents have what the part reaches.
    package mutating func generation(
        _ compilation: Compilation, _ configuration: Configuration, part: Compilation.Part? = nil
    ) -> Compilation.Generation? {
        let standing = part?.standing ?? StandingDefinitions()
        reportUnknownScalars(configuration, compilation)
        reportUnknownProviders(configuration, compilation, standing.providers)
        reportUnknownTypes(configuration, compilation)
        let ageLimits = compilation.ageLimits(
            compilation.isSchemaUsable ? configuration.maxAge : [:], others: standing.operations)
        report(ageLimits.diagnostics)
        let unstored = compilation.unstored(
            compilation.isSchemaUsable ? configuration.unstored : [], others: standing)
        report(unstored.diagnostics)
        guard !hasErrors else { return nil }
        // Headers show paths relative to the configuration, so that artifacts do not depend on the working directory.
        let workingDirectory = workingDirectory
        var compilation = compilation
        compilation.artifactPath = { path in
            AbsolutePath(path, relativeTo: workingDirectory).relative(to: configuration.directory)
        }
        var options = Self.options(configuration)
        options.unstored = unstored.names
        let result = compilation.generate(options, ageLimits: ageLimits.limits, part: part)
        report(result.diagnostics)
        persistedTexts = result.texts
        return hasErrors ? nil : result
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

    private mutating func reportUnknownTypes(_ configuration: Configuration, _ compilation: Compilation) {
        guard compilation.isSchemaUsable else { return }
        let schema = compilation.schema
        for (name, custom) in configuration.customTypes {
            guard let type = schema.type(named: name), !type.isPredeclared else {
                let names = schema.types.filter { !$0.isPredeclared }.map(\.name)
                warn("the schema has no type '\(name)'", at: custom.span, Spelling.question(for: name, among: names))
                continue
            }
            if type.kind == .scalar {
                warn("the Swift type of the scalar '\(name)' is in 'scalars'", at: custom.span, nil)
            } else if let kind = custom.kind, kind != type.kind {
                let expected = kind == .enum ? "enum" : "input object"
                warn("'\(name)' is no \(expected)", at: custom.span, nil)
            }
            let members = type.kind == .enum ? type.enumValues.map(\.name) : type.inputFields.map(\.name)
            for (member, span) in custom.memberSpans where !members.contains(member) {
                warn("'\(name)' has no '\(member)'", at: span, Spelling.question(for: member, among: members))
            }
        }
    }

    private mutating func warn(_ message: String, at span: Span, _ suggestion: String?) {
        report([
            Diagnostic(.unknownCustomName, severity: .warning, message, at: span, suggestion: suggestion)
        ])
    }

    private mutating func reportUnknownProviders(
        _ configuration: Configuration, _ compilation: Compilation, _ others: Set<String>
    ) {
        guard compilation.isSchemaUsable, !configuration.providers.isEmpty else { return }
        let names = others.union(compilation.program().fragments.flatMap(\.arguments).compactMap(\.provider))
        for (name, provider) in configuration.providers where !names.contains(name) {
            report([
                Diagnostic(
                    .unknownProvider, severity: .warning, "no document names the provider '\(name)'",
                    at: provider.span, suggestion: Spelling.question(for: name, among: names.sorted()))
            ])
        }
    }

    /// The settings of a configuration for generated Swift. The names of what no file is to have are missing, because
    /// only a compilation resolves them.
    package static func options(_ configuration: Configuration) -> GenerationOptions {
        let scalars = configuration.scalars.mapValues { scalar in
            ScalarMapping(
                type: scalar.type,
                module: scalar.module == configuration.module ? nil : scalar.module,
                conversion: scalar.conversion,
                conversionModule: scalar.conversionModule == configuration.module ? nil : scalar.conversionModule
            )
        }
        let providers = configuration.providers.mapValues { provider in
            ProviderMapping(
                type: provider.type, module: provider.module == configuration.module ? nil : provider.module)
        }
        var options = GenerationOptions(
            access: configuration.access, scalars: scalars, documentation: configuration.documentation,
            hashable: configuration.hashable)
        options.providers = providers
        options.builders = configuration.builders
        options.module = configuration.module
        options.types = configuration.customTypes.mapValues { custom in
            var own = custom.customization
            if own.module == configuration.module { own.module = nil }
            return own
        }
        options.layout = configuration.text
        options.textHash = configuration.persistConfig?.algorithm
        options.includesTexts = configuration.persistConfig?.includeQueryText ?? true
        return options
    }
}
