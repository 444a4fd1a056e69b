import Synchronization

/// Counts the updates of a store whose bodies are running.
final class RunningUpdates: Sendable {
    private let count = Atomic(0)
    private let names: NameTable

    init(_ names: NameTable) { self.names = names }

    /// The update whose body is calling; nil outside of updates.
    @inline(__always)
    var calling: UpdateRun? {
        count.load(ordering: .relaxed) == 0 ? nil : UpdateRun.calling(names)
    }

    /// Runs the body of an update and puts its changes into `staged`. Returns the check of its reads; nil if the update
    /// has changed nothing.
    func run(
        _ source: RecordSourceProxy, seeing base: consuming Records, into staged: inout StagedRecords,
        _ body: (RecordSourceProxy) throws -> Void
    ) throws -> UpdateCheck? {
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        return try UpdateRun.run(source, seeing: base, into: &staged, body)
    }
}
