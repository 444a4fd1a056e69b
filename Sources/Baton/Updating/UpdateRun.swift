/// One run of the body of an update, so that what it publishes itself is not taken for a change by others.
///
/// Belongs to the task that runs the body: a task or thread that the body starts is somebody else.
final class UpdateRun: Sendable {
    @TaskLocal private static var innermost: UpdateRun?

    private struct State: Sendable {
        var isRunning = true
        var spans: [UpdateCheck.Span] = []
        /// The version that the update sees, or the one after what it published last.
        var last: Records
    }

    private let names: NameTable
    /// The one in whose body this one runs.
    private let outer: UpdateRun?
    private let task: Int?
    private let state: Guarded<State>

    private init(_ names: NameTable, seeing base: Records, inside outer: UpdateRun?) {
        self.names = names
        self.outer = outer
        task = Self.task
        state = Guarded(State(last: base))
    }

    private static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// The run whose body is calling, if it is one of an update of this store.
    static func calling(_ names: NameTable) -> UpdateRun? {
        var run = innermost
        while let current = run {
            if current.names === names, current.state.withLock({ $0.isRunning }), current.task == task {
                return current
            }
            run = current.outer
        }
        return nil
    }

    /// Runs the body of an update; gives what it staged, and the check of what it read before that lands.
    static func run<Result>(
        _ source: RecordSourceProxy, seeing base: Records, _ body: (RecordSourceProxy) throws -> Result
    ) throws -> (result: Result, staged: StagedRecords, check: UpdateCheck?) {
        let run = UpdateRun(source.names, seeing: base, inside: innermost)
        let result: Result
        do {
            result = try $innermost.withValue(run) { try source.run(body) }
        } catch {
            _ = run.end()
            throw error
        }
        let end = run.end()
        let reads = source.reads
        let staged = source.finish()
        return (result, staged, staged.isEmpty ? nil : UpdateCheck(reads, end.spans, last: end.last))
    }

    /// A task that the body has started may still hold this object.
    private func end() -> State {
        state.withLock { state in
            let end = state
            state = State(isRunning: false, last: .nothing)
            return end
        }
    }

    /// Notes that the body has published something, alone between these two versions.
    func note(from old: Records, to new: Records) {
        state.withLock { state in
            guard state.isRunning else { return }
            state.spans.append(.init(from: state.last, to: old))
            state.last = new
        }
        outer?.noteInner(from: old, to: new, names, task)
    }

    private func noteInner(from old: Records, to new: Records, _ names: NameTable, _ task: Int?) {
        if self.names === names, self.task == task {
            note(from: old, to: new)
        } else {
            outer?.noteInner(from: old, to: new, names, task)
        }
    }
}
