import BatonCompiler
import BatonProject

/// A project of the server: what is known of it, what is to be judged, and what was published.
struct ServedProject {
    let configuration: AbsolutePath
    /// Nil while a job has it.
    var judge: ProjectJudge?
    /// What the last judgement saw.
    var view = ProjectView()
    /// Whether a text has changed since the last judgement began.
    var isStale = true
    var looksForFiles = true
    /// The number of the last judgement that began, and the revision of the documents that it saw.
    var number = 0
    var revision = 0
    /// What the last judgement left to be done, and whether a job does it.
    var rest: ProjectJudge.Rest?
    var isRestUnderWay = false
    /// The last judgement, by file.
    var diagnostics: [AbsolutePath: [FiledDiagnostics.Item]] = [:]
    /// The first part of the last judgement.
    var early: FiledDiagnostics?
    /// What only the second part found, and the texts in which it did.
    var late: [AbsolutePath: [FiledDiagnostics.Item]] = [:]
    var lateTexts: [AbsolutePath: [UInt8]] = [:]
    /// Whether a client was told that the first judgement has begun.
    var progress = Progress.none

    enum Progress {
        case none
        case asked
        case begun
        case ended
    }

    init(configuration: AbsolutePath) {
        self.configuration = configuration
        judge = ProjectJudge(configuration: configuration)
    }

    var folder: AbsolutePath { configuration.parent }

    /// Whether a text counts in the project.
    func reads(_ path: AbsolutePath) -> Bool { view.hasDocuments(in: path) || view.hasSchema(in: path) }
}
