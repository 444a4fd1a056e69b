import BatonCompiler
import BatonProject

/// A judgement of a project that another thread carries out.
package struct JudgeJob: Sendable {
    enum Work: Sendable {
        /// A whole judgement. The outcome returns the judge.
        case judge(ProjectJudge, overlays: [AbsolutePath: [UInt8]], looksForFiles: Bool)
        /// The rest of a judgement.
        case rest(ProjectJudge.Rest)
    }

    let configuration: AbsolutePath
    /// The number of the judgement, counted for all projects of the server.
    let number: Int
    let work: Work

    /// The result of a job.
    package struct Outcome: Sendable {
        let configuration: AbsolutePath
        let number: Int
        /// The judge that the job has used; nil if the job was the rest of a judgement.
        let judge: ProjectJudge?
        let judgement: ProjectJudge.Judgement
        let diagnostics: FiledDiagnostics
    }

    package consuming func run() -> Outcome {
        var owned: ProjectJudge?
        let judgement: ProjectJudge.Judgement
        switch work {
        case .judge(var judge, let overlays, let looksForFiles):
            judgement = judge.judge(overlays: overlays, looksForFiles: looksForFiles)
            owned = judge
        case .rest(let rest): judgement = rest.judge()
        }
        return Outcome(
            configuration: configuration, number: number, judge: owned, judgement: judgement,
            diagnostics: FiledDiagnostics(judgement, configuration: configuration))
    }
}
