import BatonCompiler
import BatonDiagnostics

/// The result of a round, of which nothing is written yet.
package struct Round: Sendable {
    /// How much of the project was computed.
    package enum Extent: Hashable, Sendable {
        /// Nothing has changed.
        case nothing
        /// The definitions that an edit touches, with their number.
        case part(Int)
        /// The round has computed the whole project.
        case whole
    }

    /// The texts and diagnostics of the round.
    package var compiler: Compiler
    package var extent = Extent.whole
    /// The changes to the output folder; nil after an error.
    package var artifacts: ArtifactPlan?
    /// The changes to the folder of builders; nil if the project has none.
    package var builders: ArtifactPlan?
    /// The changes to the file of the texts that have ids; nil if the project has none.
    package var persisted: PersistedFile?
    /// The artifacts that an earlier configuration has left outside of the output folder. They are looked for if
    /// nothing is known of an earlier run with this configuration.
    package var formerArtifacts: [AbsolutePath] = []
    /// The number of shares in which the artifacts were generated.
    package var shares = 1
    /// The documents that changed since the last round that was applied.
    package var changedFiles: [AbsolutePath] = []
    /// The table to keep when everything is written; nil if there is none.
    var table: TableDraft?

    init(_ compiler: Compiler) {
        self.compiler = compiler
    }
}

extension Round {
    /// The changes to the folders of builders and artifacts.
    package var plans: [ArtifactPlan] { [builders, artifacts].compactMap(\.self) }

    /// How many files of these folders are written, removed and left as they are.
    package var counts: String {
        let written = plans.reduce(0) { $0 + $1.written.count }
        let removed = plans.reduce(0) { $0 + $1.removed.count }
        let unchanged = plans.reduce(0) { $0 + $1.unchangedCount }
        return "\(written) written, \(removed) removed, \(unchanged) unchanged"
    }
}
