import BatonCodegen
import BatonCompiler

extension Project {
    /// Adds the builders to a round that has artifacts, if the configuration asks for them.
    ///
    /// They share a table of the schema that depends on all documents, so that they are always computed as a whole.
    package func addBuilders(to round: inout Round) {
        guard round.artifacts != nil else { return }
        let search = search()
        guard let start = search.start, let folder = start.configuration.buildersDirectory else { return }
        var compiler = search.compiler
        let compilation = compiler.load(start.inputs, start.files)
        guard let files = compiler.builders(compilation, start.configuration) else {
            round.compiler.report(compiler.collected)
            round.artifacts = nil
            return
        }
        let (plan, mistakes) = ArtifactPlan.make(files, in: folder, displayed: compiler.displayed)
        round.compiler.report(mistakes)
        if mistakes.isEmpty { round.builders = plan } else { round.artifacts = nil }
    }
}

extension Round {
    /// Leaves the builders as all that is written, where a build generates the artifacts.
    package mutating func leaveOnlyBuilders() {
        if artifacts != nil { artifacts = builders }
        (builders, persisted, table, formerArtifacts) = (nil, nil, nil, [])
    }
}
