/// What happens with the file, for those who report it.
///
/// State: guarded by a lock of its own, a leaf.
final class DiskReports: Sendable {
    private let state = Guarded<(last: PersistenceError?, report: Hook<DiskEvent>?)>((nil, nil))

    func set(_ report: Hook<DiskEvent>) { state.withLock { $0.report = report } }

    /// Notes a failure and reports it. Must be called while no lock is held.
    func note(_ failure: PersistenceError) {
        state.withLock { $0.last = failure }
        report(.failed(failure))
    }

    /// Reports an event. Must be called while no lock is held.
    func report(_ event: DiskEvent) { state.withLock { $0.report }?.body(event) }

    var last: PersistenceError? { state.withLock { $0.last } }
}
