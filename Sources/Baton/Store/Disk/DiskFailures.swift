/// The last failure of the file, for those who report it.
///
/// State: guarded by a lock of its own, a leaf.
final class DiskFailures: Sendable {
    private let state = Guarded<(last: DiskFailure?, report: Hook<DiskFailure>?)>((nil, nil))

    func set(_ report: Hook<DiskFailure>) { state.withLock { $0.report = report } }

    /// Notes a failure and reports it. Must be called while no lock is held.
    func note(_ failure: DiskFailure) {
        let report = state.withLock { state in
            state.last = failure
            return state.report
        }
        report?.body(failure)
    }

    var last: DiskFailure? { state.withLock { $0.last } }
}
