import BatonCompiler
import BatonProject

/// The server's judgements of projects: which one comes next, and what the client is told about it.
extension LanguageServer {
    /// Whether a project waits for a judgement.
    package var hasJob: Bool { projects.values.contains { $0.judge != nil && $0.isStale } }

    /// Whether the rest of a judgement waits to be carried out.
    package var hasRest: Bool { projects.values.contains(where: Self.needsRest) }

    private static func needsRest(_ project: ServedProject) -> Bool {
        project.rest != nil && !project.isRestUnderWay && !project.isStale && project.judge != nil
    }

    /// Returns the next judgement to carry out, and counts it as begun; nil if no project waits for one.
    package mutating func nextJob() -> JudgeJob? {
        let waiting = projects.values.filter { $0.judge != nil && $0.isStale }
        guard var project = waiting.min(by: { $0.configuration < $1.configuration }), let judge = project.judge else {
            return nil
        }
        beginProgress(project.configuration)
        project.progress = projects[project.configuration]?.progress ?? project.progress
        let work = JudgeJob.Work.judge(judge, overlays: overlays, looksForFiles: project.changes.isAnything)
        project.judge = nil
        project.changesUnderWay = project.changes
        project.changes = .none
        judgementCount += 1
        project.number = judgementCount
        project.revision = revision
        project.rest = nil
        project.isRestUnderWay = false
        projects[project.configuration] = project
        return JudgeJob(configuration: project.configuration, number: project.number, work: work)
    }

    /// Returns the next rest of a judgement to carry out, and counts it as begun; nil if none waits. A rest takes
    /// longer than the judgement. Its result is dropped if a new judgement of the project begins meanwhile.
    package mutating func nextRest() -> JudgeJob? {
        guard let project = projects.values.filter(Self.needsRest).min(by: { $0.configuration < $1.configuration }),
            let rest = project.rest
        else { return nil }
        projects[project.configuration]?.isRestUnderWay = true
        return JudgeJob(configuration: project.configuration, number: project.number, work: .rest(rest))
    }

    /// Takes the outcome of a job, and sends the diagnostics that have changed to the client.
    package mutating func finish(_ outcome: JudgeJob.Outcome) {
        defer { answerWaiting() }
        guard var project = projects[outcome.configuration] else { return }
        // A project that was removed and added again has a judge of its own.
        guard outcome.number == project.number else { return }
        var filed = outcome.diagnostics
        let view = outcome.judgement.view
        project.view = view
        if let judge = outcome.judge {
            project.judge = judge
            project.changesUnderWay = nil
            countJudgement()
        }
        project.rest = outcome.judgement.rest
        if project.rest != nil {
            project.early = filed
            // Until the new rest is done, the client keeps the diagnostics of the last rest in texts that have not
            // changed since.
            filed.keep(project.late.filter { view.bytes(of: $0.key) == project.lateTexts[$0.key] })
        } else {
            project.late = outcome.judge == nil ? project.early.map(filed.beyond) ?? [:] : [:]
            project.lateTexts = project.late.keys.reduce(into: [:]) { $0[$1] = view.bytes(of: $1) }
            project.early = nil
            project.isRestUnderWay = false
        }
        project.diagnostics = filed.items
        project.omitted = filed.omitted
        // The judgement has not seen what the user has opened or typed since it began.
        for document in documents.values where revision != project.revision {
            guard let path = document.path, project.reads(path) else { continue }
            if view.bytes(of: path) != document.bytes { project.changes.texts.insert(path) }
        }
        projects[outcome.configuration] = project
        publish()
        endProgress(outcome.configuration)
    }

    /// The diagnostics of a file in all projects, each once.
    func diagnostics(in path: AbsolutePath) -> [FiledDiagnostics.Item] {
        var known: Set<FiledDiagnostics.Item> = []
        return projects.keys.sorted().flatMap { configuration in
            (projects[configuration]?.diagnostics[path] ?? []).filter { known.insert($0).inserted }
        }
    }

    /// Sends the diagnostics of each file whose diagnostics are not those that were sent last. The function leaves out
    /// documents that have changed since they were judged, because they will be judged again.
    mutating func publish() {
        var paths = Set(published.keys)
        for project in projects.values { paths.formUnion(project.diagnostics.keys) }
        for path in paths.sorted() {
            if openDocument(at: path) != nil, isAhead(path) { continue }
            var json = diagnostics(in: path).map(\.json)
            let omitted = projects.values.reduce(0) { $0 + ($1.omitted[path] ?? 0) }
            if omitted > 0 { json.insert(FiledDiagnostics.note(omitting: omitted), at: 0) }
            if json == published[path] ?? [] { continue }
            published[path] = json.isEmpty ? nil : json
            sendDiagnostics(json, of: path)
        }
    }

    /// Whether a project has judged none of the texts of an open document. One file may be open under two addresses.
    private func isAhead(_ path: AbsolutePath) -> Bool {
        let texts = documents.values.filter { $0.path == path }.map(\.bytes)
        return projects.values.contains { project in
            guard project.reads(path), let judged = project.view.bytes(of: path) else { return false }
            return !texts.contains(judged)
        }
    }

    mutating func sendDiagnostics(_ diagnostics: [JSONValue], of path: AbsolutePath) {
        let document = openDocument(at: path)
        let uri = document?.uri ?? DocumentURI(path)
        let message: JSONValue = ["uri": .string(uri.text), "diagnostics": .array(diagnostics)]
        sendNotification(
            "textDocument/publishDiagnostics", message.with("version", document?.version.map { .integer($0) }))
    }

    // MARK: - Progress

    private static let progressPrefix = "progress "

    private mutating func beginProgress(_ configuration: AbsolutePath) {
        guard client.hasProgress, projects[configuration]?.progress == ServedProject.Progress.none else { return }
        projects[configuration]?.progress = .asked
        let token = Self.progressPrefix + configuration.description
        sendRequest(token, "window/workDoneProgress/create", ["token": .string(token)])
    }

    /// Handles the client's response to a request. Only a response about progress has a consequence.
    mutating func takeResponse(_ id: JSONValue) {
        guard let token = id.string, token.hasPrefix(Self.progressPrefix) else { return }
        let configuration = AbsolutePath(absolute: String(token.dropFirst(Self.progressPrefix.count)))
        guard projects[configuration]?.progress == .asked else { return }
        projects[configuration]?.progress = .begun
        sendNotification(
            "$/progress",
            [
                "token": .string(token),
                "value": ["kind": "begin", "title": "baton", "message": "reading the project"],
            ])
    }

    private mutating func endProgress(_ configuration: AbsolutePath) {
        guard let project = projects[configuration] else { return }
        let token = Self.progressPrefix + configuration.description
        if project.progress == .begun {
            sendNotification("$/progress", ["token": .string(token), "value": ["kind": "end"]])
        }
        projects[configuration]?.progress = .ended
    }
}
