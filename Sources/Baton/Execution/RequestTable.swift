/// The requests in flight: all of them, and by operation and variables those that can be shared.
///
/// State: `requests`, and what is shared, each guarded by its own lock, leaves.
final class RequestTable: Sendable {
    /// What an environment has in common with those that keep one answer aside.
    private final class Shared: Sendable {
        fileprivate let lastNumber = Guarded(0)
        fileprivate let running = Guarded<[ObjectIdentifier: Request]>([:])
    }

    private let requests = Guarded<[ObjectIdentifier: Request]>([:])
    private let shared: Shared

    init() {
        shared = Shared()
    }

    /// An empty table whose requests are numbered with those of another, and are among all that it has.
    init(aside other: RequestTable) {
        shared = other.shared
    }

    /// A number for the next request.
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

    /// Puts a request in the place of another or of none; false if something else stands there by now.
    func replace(_ old: Request?, with new: Request) -> Bool {
        let key = ObjectIdentifier(new.operation)
        return requests.withLock { requests in
            guard requests[key] === old else { return false }
            requests[key] = new
            return true
        }
    }

    /// Those that have begun and not ended, in no order.
    var all: [Request] { shared.running.withLock { Array($0.values) } }

    func begin(_ request: Request) {
        shared.running.withLock { $0[ObjectIdentifier(request)] = request }
    }

    func end(_ request: Request) {
        _ = shared.running.withLock { $0.removeValue(forKey: ObjectIdentifier(request)) }
    }

    /// Takes a request out, unless a newer one stands in its place.
    func remove(_ request: Request) {
        let key = ObjectIdentifier(request.operation)
        requests.withLock { requests in
            if requests[key] === request { requests[key] = nil }
        }
    }
}
