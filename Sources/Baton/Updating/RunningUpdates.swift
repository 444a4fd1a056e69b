import Synchronization

/// The updates of a store whose body is running.
final class RunningUpdates: Sendable {
    private let count = Atomic(0)
    private let names: NameTable

    init(_ names: NameTable) { self.names = names }

    /// The update in whose body the caller is.
    @inline(__always)
    var calling: UpdateRun? {
        count.load(ordering: .relaxed) == 0 ? nil : UpdateRun.calling(names)
    }

    /// Runs the body of an update; gives what it staged, and the check of what it read before that lands.
    func run<Result>(
        _ source: RecordSourceProxy, seeing base: Records, _ body: (RecordSourceProxy) throws -> Result
    ) throws -> (result: Result, staged: StagedRecords, check: UpdateCheck?) {
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        return try UpdateRun.run(source, seeing: base, body)
    }
}
