/// One run of the body of an update. It tells changes that the body itself publishes from changes by others.
///
/// The run belongs to the task that runs the body. A task or thread that the body starts does not belong to it.
final class UpdateRun: Sendable {
    @TaskLocal private static var innermost: UpdateRun?

    private struct State: Sendable {
        var isRunning = true
        var spans: [UpdateCheck.Span] = []
        /// The version that the update sees, or the version after its last own publish.
        var last: Records
    }

    private let names: NameTable
    /// The run whose body has started this run.
    private let outer: UpdateRun?
    private let task: Int?
    private let state: Guarded<State>

    private init(_ names: NameTable, seeing base: consuming Records, inside outer: UpdateRun?) {
        self.names = names
        self.outer = outer
        task = Self.task
        state = Guarded(State(last: base))
    }

    private static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Returns the run whose body is calling; nil if no update of this store is calling.
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

    /// Runs the body of an update and puts its changes into `staged`. Returns the check of its reads; nil if the update
    /// has changed nothing.
    ///
    /// The caller keeps the result of its body. A function that is generic over the result would request metadata at
    /// each call.
    static func run(
        _ source: RecordSourceProxy, seeing base: consuming Records, into staged: inout StagedRecords,
        _ body: (RecordSourceProxy) throws -> Void
    ) throws -> UpdateCheck? {
        let run = UpdateRun(source.names, seeing: base, inside: innermost)
        do {
            try $innermost.withValue(run) { try source.run(body) }
        } catch {
            _ = run.end()
            throw error
        }
        let end = run.end()
        let reads = source.reads
        staged = source.finish()
        return staged.isEmpty ? nil : UpdateCheck(reads, end.spans, last: end.last)
    }

    /// Ends the run and clears the state, because a task that the body has started may still hold this object.
    private func end() -> State {
        var end = State(isRunning: false, last: .nothing)
        state.withLock { swap(&$0, &end) }
        return end
    }

    /// Notes that the body has published the only change between these two versions.
    func notePublish(from old: Records, to new: Records) {
        state.withLock { state in
            guard state.isRunning else { return }
            state.spans.append(.init(from: state.last, to: old))
            state.last = new
        }
        outer?.noteInner(from: old, to: new, names, task)
    }

    private func noteInner(from old: Records, to new: Records, _ names: NameTable, _ task: Int?) {
        if self.names === names, self.task == task {
            notePublish(from: old, to: new)
        } else {
            outer?.noteInner(from: old, to: new, names, task)
        }
    }
}
