import BatonCompiler
import BatonProject

/// The judgement of a project, to be carried out by another thread.
package struct JudgeJob: Sendable {
    enum Work: Sendable {
        /// A judgement, whose judge is given back.
        case judge(ProjectJudge, overlays: [AbsolutePath: [UInt8]], looksForFiles: Bool)
        /// What a judgement left to be done.
        case rest(ProjectJudge.Rest)
    }

    let configuration: AbsolutePath
    /// The number of the judgement of the project.
    let number: Int
    let work: Work

    /// What the job gives back.
    package struct Outcome: Sendable {
        let configuration: AbsolutePath
        let number: Int
        /// Nil if the job was the rest of a judgement.
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
