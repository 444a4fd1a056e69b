import BatonCompiler
import BatonProject

/// The state of a project that the server judges.
struct ServedProject {
    let configuration: AbsolutePath
    /// The judge; nil while a job uses it.
    var judge: ProjectJudge?
    /// The schema, texts and definitions of the last judgement.
    var view = ProjectView()
    /// What has changed since the last judgement began.
    var changes = Changes.everything
    /// What the judgement under way takes in, which the view does not show yet; nil if none is under way.
    var changesUnderWay: Changes?
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

    /// What was told of a project.
    struct Changes {
        /// The files whose unsaved texts have changed.
        var texts: Set<AbsolutePath> = []
        /// Whether anything on the disk may have changed, which is then searched.
        var isAnything = false

        static let none = Changes()
        static let everything = Changes(isAnything: true)
    }

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

    /// Whether another judgement is needed.
    var isStale: Bool { changes.isAnything || !changes.texts.isEmpty }

    /// Whether the view shows all that the client has told, apart from the text of one document. Whoever reads that
    /// text itself needs no other judgement. The text of a part of the schema is read by nobody else, so it counts.
    func isJudged(apartFrom own: AbsolutePath?) -> Bool {
        [changes, changesUnderWay].allSatisfy { changes in
            guard let changes else { return true }
            return !changes.isAnything && changes.texts.allSatisfy { $0 == own && !view.hasSchema(in: $0) }
        }
    }

    /// Whether the project reads a file as a document or as a part of its schema.
    func reads(_ path: AbsolutePath) -> Bool { view.hasDocuments(in: path) || view.hasSchema(in: path) }
}
