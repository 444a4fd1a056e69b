import BatonCompiler
import BatonProject

/// The state of a project that the server judges.
struct ServedProject {
    let configuration: AbsolutePath
    /// The judge; nil while a job uses it.
    var judge: ProjectJudge?
    /// The schema, texts and definitions of the last judgement.
    var view = ProjectView()
    /// Whether a text has changed since the last judgement began.
    var isStale = true
    /// Whether the next judgement searches the disk.
    var looksForFiles = true
    /// Whether a judgement of the project has ended.
    var isJudged = false
    /// The number of the last judgement that has begun, and the revision of the documents that it has seen.
    var number = 0
    var revision = 0
    /// The rest of the last judgement, and whether a job is carrying it out.
    var rest: ProjectJudge.Rest?
    var isRestUnderWay = false
    /// The diagnostics of the last judgement, by file.
    var diagnostics: [AbsolutePath: [FiledDiagnostics.Item]] = [:]
    /// The number of diagnostics that are left out of `diagnostics`, by file.
    var omitted: [AbsolutePath: Int] = [:]
    /// The diagnostics of the last judgement without its rest; nil once the rest is done.
    var early: FiledDiagnostics?
    /// The diagnostics that only the last rest has found, and the texts of their files at that time.
    var late: [AbsolutePath: [FiledDiagnostics.Item]] = [:]
    var lateTexts: [AbsolutePath: [UInt8]] = [:]
    /// How far the client has been told about the progress of the first judgement.
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

    /// Whether the project reads a file as a document or as a part of its schema.
    func reads(_ path: AbsolutePath) -> Bool { view.hasDocuments(in: path) || view.hasSchema(in: path) }
}
