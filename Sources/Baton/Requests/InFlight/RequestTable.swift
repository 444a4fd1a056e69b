/// The requests in flight: all of them, and those that can be shared by operation and variables.
///
/// State: `requests` and the shared tables, each guarded by a lock of its own, leaves.
final class RequestTable: Sendable {
    /// The tables that an environment shares with the environments that fetch aside.
    private final class Shared: Sendable {
        fileprivate let lastNumber: Guarded<Int>
        fileprivate let running = Guarded<[ObjectIdentifier: Request]>([:])
        fileprivate let recorders = Guarded<[ObjectIdentifier: RequestRecorder]>([:])

        fileprivate init(after number: Int) { lastNumber = Guarded(number) }
    }

    private let requests = Guarded<[ObjectIdentifier: Request]>([:])
    private let shared: Shared

    /// Makes an empty table whose first request has the next number.
    init(after number: Int = 0) {
        shared = Shared(after: number)
    }

    /// Makes an empty table that shares its numbers and the list of all requests with another table.
    init(aside other: RequestTable) {
        shared = other.shared
    }

    /// The number of the newest request.
    var lastID: Int { shared.lastNumber.withLock { $0 } }

    /// Returns a number for the next request.
    func nextID() -> Int {
        shared.lastNumber.withLock { last in
            last += 1
            return last
        }
    }

    /// The newest request in flight for an operation.
    subscript(operation: BoundOperation) -> Request? {
        requests.withLock { $0[ObjectIdentifier(operation)] }
    }

    /// Replaces a request, or none, by a new one; returns false if another request was registered meanwhile.
    func replace(_ old: Request?, with new: Request) -> Bool {
        let key = ObjectIdentifier(new.operation)
        return requests.withLock { requests in
            guard requests[key] === old else { return false }
            requests[key] = new
            return true
        }
    }

    /// The requests that have begun and not ended, in no order.
    var all: [Request] { shared.running.withLock { Array($0.values) } }

    func begin(_ request: Request) {
        shared.running.withLock { $0[ObjectIdentifier(request)] = request }
    }

    func end(_ request: Request) {
        _ = shared.running.withLock { $0.removeValue(forKey: ObjectIdentifier(request)) }
    }

    // MARK: - Recording

    /// Tells a recorder of every request from now on, until `remove`.
    func add(_ recorder: RequestRecorder) {
        shared.recorders.withLock { $0[ObjectIdentifier(recorder)] = recorder }
    }

    func remove(_ recorder: RequestRecorder) {
        _ = shared.recorders.withLock { $0.removeValue(forKey: ObjectIdentifier(recorder)) }
    }

    /// Tells the recorders that a component asked for a request, or joined it.
    func note(_ request: Request, askedBy component: String) {
        request.add(component)
        let recorders = shared.recorders.withLock { $0.isEmpty ? [] : Array($0.values) }
        for recorder in recorders { recorder.note(request) }
    }

    /// Removes a request, unless a newer one has replaced it.
    func remove(_ request: Request) {
        let key = ObjectIdentifier(request.operation)
        requests.withLock { requests in
            if requests[key] === request { requests[key] = nil }
        }
    }
}
