import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSyntax
import BatonTransforms
import FixtureSupport
import Testing

/// The compiled texts of a fixture: `schema.graphql`, `extensions.graphql` and `baton.json` if they exist, and
/// documents under any other name. Keys of the configuration that name files are ignored.
struct CompiledFixture {
    var compiler = Compiler()
    var diagnostics: [Diagnostic]
    var compilation: Compilation
    var ageLimits: AgeLimits
    var unstored: UnstoredNames
    /// Nil without `baton.json`.
    var configuration: Configuration?

    init(_ texts: [Fixture.Text]) {
        var schemaFiles: [SourceFile] = []
        var extensions: [SourceFile] = []
        var configuration = Configuration(directory: AbsolutePath(absolute: "/project"))
        var found: [Diagnostic] = []
        var documents: [SourceFile] = []
        for text in texts {
            let file = compiler.addSource(path: text.name, bytes: text.bytes)
            switch text.name {
            case "schema.graphql": schemaFiles.append(file)
            case "extensions.graphql": extensions.append(file)
            case "baton.json":
                (configuration, found) = Configuration.read(file, directory: configuration.directory)
                self.configuration = configuration
            default: documents.append(file)
            }
        }
        let levels = configuration.warnings
        let loaded = compiler.loadSchema(
            schemaFiles, extensions: extensions, names: configuration.schemaConfig, levels: levels)
        let parsed = compiler.parse(documents)
        compilation = compiler.compilation(schema: loaded.schema, documents: parsed.documents)
        let limits = compilation.ageLimits(configuration.maxAge)
        ageLimits = limits.limits
        let names = compilation.unstored(configuration.unstored)
        unstored = names.names
        diagnostics =
            found + levels.applied(to: loaded.diagnostics + parsed.diagnostics + compilation.validate())
            + limits.diagnostics + names.diagnostics
    }

    /// The fixture as one input.
    init(_ fixture: Fixture) throws {
        self.init(try fixture.inputs().flatMap(\.texts))
    }

    /// The text of an ordinary fixture: the output, followed by the diagnostics.
    func outcome(_ diagnostics: [Diagnostic], _ output: String) -> Outcome {
        Outcome(compiler.sorted(diagnostics), compiler.sources) { output + $0 }
    }
}

@Suite struct PipelineFixtureTests {
    @Test(arguments: Fixture.all(in: "transforms"))
    func pipelineGivesTheExpectedPlansAndText(_ fixture: Fixture) throws {
        let problems = try FixtureRunner.check(fixture) { texts in
            let compiled = CompiledFixture(texts)
            var diagnostics = compiled.diagnostics
            var output = ""
            if !diagnostics.hasErrors {
                let schema = compiled.compilation.schema
                var pipeline = Pipeline(compiled.compilation.program(), ageLimits: compiled.ageLimits)
                var plans = PlanPrinter(schema: schema, mappedScalars: ["Mapped"])
                var texts = OperationTextPrinter(schema: schema)
                // Refused documents have no meaningful plan.
                let isRefused = pipeline.diagnostics.hasErrors
                for fragment in isRefused ? [] : pipeline.fragments() {
                    output += "fragment \(fragment.fragment.name)\n"
                    output += "  reader         \(plans.print(fragment.reader))\n"
                }
                for operation in isRefused ? [] : pipeline.operations() {
                    let variables = operation.operation.variables
                    output += "\(operation.operation.kind.rawValue) \(operation.operation.name)\n"
                    output += "  reader         \(plans.print(operation.reader, variables: variables))\n"
                    output += "  normalization  \(plans.print(operation.normalization, variables: variables))\n"
                    let text = operation.text.isEmpty ? "none" : texts.print(operation.text)
                    output += "  text           \(text)\n"
                }
                diagnostics += pipeline.diagnostics
                let found = compiled.compilation.operationTexts().diagnostics
                diagnostics += found.filter { !pipeline.diagnostics.contains($0) }
            }
            return compiled.outcome(diagnostics, output)
        }
        #expect(problems == [])
    }

    @Test(arguments: Fixture.all(in: "codegen"))
    func generatorWritesTheExpectedSwift(_ fixture: Fixture) throws {
        let problems = try FixtureRunner.check(fixture) { texts in
            let compiled = CompiledFixture(texts)
            var diagnostics = compiled.diagnostics
            var output = ""
            if !diagnostics.hasErrors {
                let mapping = ScalarMapping(type: "Day", module: "Days", conversion: "DayConversion")
                var options = GenerationOptions(
                    access: AccessLevel.allCases.first { fixture.name.hasPrefix($0.rawValue) } ?? .public,
                    scalars: ["Mapped": mapping],
                    documentation: fixture.name.hasPrefix("internal") ? .summaries : .all
                )
                options.layout = .compact
                if let configuration = compiled.configuration { options = Compiler.options(configuration) }
                options.unstored = compiled.unstored
                let generated = compiled.compilation.generate(options)
                diagnostics += generated.diagnostics
                for file in generated.files { output += "=== \(file.name)\n\(file.text)" }
            }
            return compiled.outcome(diagnostics, output)
        }
        #expect(problems == [])
    }

    /// The text of each request is a document that the server's schema accepts.
    @Test(arguments: FixtureFolder.compiler.topics)
    func everyNetworkTextIsValid(_ topic: String) throws {
        for fixture in Fixture.all(in: topic) where !fixture.name.hasSuffix(".invalid") {
            let compiled = try CompiledFixture(fixture)
            try NetworkText.checkAll(of: compiled.compilation, fixture.description)
        }
    }

    @Test func theOrderOfFilesDoesNotMatter() throws {
        for fixture in Fixture.all(in: "codegen") {
            let compiled = try CompiledFixture(fixture)
            if compiled.diagnostics.hasErrors { continue }
            let reversed = compiled.compiler.compilation(
                schema: compiled.compilation.schema,
                documents: compiled.compilation.documents.reversed()
            )
            let options = GenerationOptions()
            #expect(reversed.generate(options).files == compiled.compilation.generate(options).files)
        }
    }

    @Test(.disabled(if: FixtureRunner.isRecording, "recording writes files beside the fixtures"))
    func everyFixtureFileIsClaimed() throws {
        #expect(try FixtureFolder.compiler.unclaimedFiles() == [])
    }
}
