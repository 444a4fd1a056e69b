import BatonCompiler
import BatonDiagnostics

/// The run in a project in which nothing has changed. It reports again what the last run has reported.
enum QuietRun {
    /// Performs the run; returns nil if a file has to be written after all.
    static func perform(
        _ compiler: Compiler, _ start: RoundStart, _ states: ProjectStates, _ artifacts: ArtifactStates,
        _ table: ProjectTable
    ) -> Round? {
        var compiler = compiler
        let standing = Set(artifacts.artifacts.map(\.name))
        let folder = start.configuration.outputDirectory
        let (plan, found) = ArtifactPlan.make([], in: folder, standing: standing, displayed: compiler.displayed)
        guard found.isEmpty, plan.isEmpty, compiler.collected.allSatisfy({ $0.severity == .warning }) else {
            return nil
        }
        var kept = KeptReports(compiler, start)
        kept.add(table.warnings)
        for file in table.documents { kept.add(file.warnings) }
        guard kept.report(to: &compiler, hasDocuments: table.hasDocuments) else { return nil }
        var round = Round(compiler)
        round.extent = .nothing
        round.artifacts = plan
        if let path = start.configuration.persistedFile {
            round.persisted = PersistedFile.make([:], at: path, displayed: compiler.displayed).file
        }
        var next = table
        next.time = start.time
        next.artifactTime = start.time
        for (index, input) in states.documents.enumerated() { next.documents[index].input = input }
        next.schema = Array(states.schemaInputs.prefix(states.schemaCount))
        next.schemaExtensions = Array(states.schemaInputs.dropFirst(states.schemaCount))
        let isRestamped = states.isRestamped || artifacts.isRestamped
        round.table = isRestamped ? TableDraft(table: next, standing: artifacts.artifacts) : nil
        return round
    }
}
