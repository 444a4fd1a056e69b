import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSyntax
import BatonValidation

/// The run that computes everything.
enum WholeRun {
    static func perform(
        _ compiler: Compiler, _ start: RoundStart, _ states: ProjectStates
    ) -> (round: Round, compilation: Compilation) {
        var compiler = compiler
        let compilation = compiler.load(start.inputs, start.files)
        compiler.validate(compilation)
        guard let generation = compiler.generation(compilation, start.configuration) else {
            var round = Round(compiler)
            round.changedFiles = states.changed + states.removed
            return (round, compilation)
        }
        compiler.report(ModuleSize.warnings(references: generation.files.reduce(0) { $0 + $1.references }))
        // What is reported after this is about the output folder, and is found again each time.
        let found = Array(compiler.collected.dropFirst(start.firstOwnDiagnostic))
        let displayed = compiler.displayed
        let folder = start.configuration.outputDirectory
        var (plan, mistakes) = ArtifactPlan.make(generation.files, in: folder, displayed: displayed)
        compiler.keepStandingDocuments(&plan, start.inputs)
        var round = Round(compiler)
        round.changedFiles = states.changed + states.removed
        round.shares = generation.shares
        if let path = start.configuration.persistedFile {
            let made = PersistedFile.make(compiler.persistedTexts, at: path, displayed: displayed)
            round.persisted = made.file
            mistakes += made.diagnostics
        }
        round.compiler.report(mistakes)
        guard mistakes.isEmpty, !round.compiler.hasErrors else { return (round, compilation) }
        round.artifacts = plan
        if plan.kept.isEmpty, !states.isIncomplete {
            round.table = table(compilation, generation, found, start, states, compiler)
        }
        return (round, compilation)
    }

    // MARK: - What is remembered

    private static func table(
        _ compilation: Compilation, _ generation: Compilation.Generation, _ found: [Diagnostic], _ start: RoundStart,
        _ states: ProjectStates, _ compiler: Compiler
    ) -> TableDraft? {
        guard states.documents.map(\.path) == start.files.documents else { return nil }
        var table = ProjectTable(key: start.key)
        table.time = start.time
        table.schema = Array(states.schemaInputs.prefix(states.schemaCount))
        table.schemaExtensions = Array(states.schemaInputs.dropFirst(states.schemaCount))
        var records = DefinitionRecords(compilation, workingDirectory: compiler.workingDirectory)
        records.note(generation)
        table.hasDocuments = !compilation.documents.isEmpty
        table.isDivisible = records.areComplete && !generation.hasRenamedTypes
        table.documents = states.documents.map { input in
            ProjectTable.DocumentFile(input: input, definitions: records.byFile[input.path] ?? [])
        }
        let numbers = Dictionary(
            table.documents.enumerated().map { ($1.input.path, $0) }, uniquingKeysWith: { first, _ in first })
        let unmasked = table.filesOfUnmasked
        for diagnostic in found {
            let kept = KeptDiagnostic(diagnostic, in: compiler)
            if let number = kept.place.path.flatMap({ numbers[$0] }) {
                table.documents[number].warnings.append(kept)
                table.isDivisible = table.isDivisible && TouchedRun.isLocal(kept, unmasked)
            } else {
                table.warnings.append(kept)
            }
        }
        let made = generation.files.map { ($0.name, ContentHash.of($0.text)) }
        return TableDraft(table: table, made: Dictionary(made, uniquingKeysWith: { first, _ in first }))
    }
}
