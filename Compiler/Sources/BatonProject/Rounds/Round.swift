import BatonCompiler
import BatonDiagnostics

/// What a round has computed. Nothing of it is written yet.
package struct Round: Sendable {
    /// How much of the project was computed.
    package enum Extent: Hashable, Sendable {
        /// Nothing has changed.
        case nothing
        /// So many definitions, which an edit touches.
        case part(Int)
        /// Everything.
        case whole
    }

    /// The texts and diagnostics of the round.
    package var compiler: Compiler
    package var extent = Extent.whole
    /// The changes to the output folder; nil after an error.
    package var artifacts: ArtifactPlan?
    /// The changes to the file of the texts that have ids; nil if the project has none.
    package var persisted: PersistedFile?
    /// The number of shares in which the artifacts were generated.
    package var shares = 1
    /// The documents that changed since the last round that was applied.
    package var changedFiles: [AbsolutePath] = []
    /// What is to be remembered when everything is written; nil if that is nothing.
    var table: TableDraft?

    init(_ compiler: Compiler) {
        self.compiler = compiler
    }
}
