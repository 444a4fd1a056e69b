import BatonCodegen
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonTransforms

extension Compilation {
    /// Generates the builders of valid documents, from which artifacts were generated without an error.
    package func builders(_ options: GenerationOptions) -> (files: [GeneratedFile], diagnostics: [Diagnostic]) {
        let program = program()
        var pipeline = Pipeline(program)
        let fragments = pipeline.fragments(workers)
        let operations = pipeline.operations(workers)
        if pipeline.diagnostics.hasErrors { return ([], pipeline.diagnostics) }
        // The pipeline would not generate the fragments of edges a second time.
        let makers = GenerateMakers.apply(to: program)
        let wanted = DefinitionNames(operations: Set(makers.operations.map(\.name)))
        var making = Pipeline(makers, wanted: wanted)
        let made = making.operations(workers)
        let errors = making.diagnostics.filter { $0.severity == .error }
        if !errors.isEmpty { return ([], errors) }
        var generator = CodeGenerator(
            schema: schema, options: options, workers: workers, pathOfSource: { _ in nil })
        let files = generator.generateBuilders(
            pipeline.program, operations: operations, updatableQueries: pipeline.updatableQueries(),
            fragments: fragments, makers: made)
        return (files, [])
    }
}

extension Compiler {
    /// Generates the builders; returns nil if a stage has reported an error.
    package mutating func builders(_ compilation: Compilation, _ configuration: Configuration) -> [GeneratedFile]? {
        let workingDirectory = workingDirectory
        var compilation = compilation
        compilation.artifactPath = { path in
            AbsolutePath(path, relativeTo: workingDirectory).relative(to: configuration.directory)
        }
        let result = compilation.builders(Self.options(configuration))
        report(result.diagnostics)
        return result.diagnostics.isEmpty ? result.files : nil
    }
}
