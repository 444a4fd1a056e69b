/// The requests in flight: all of them, and by operation and variables those that can be shared.
///
/// State: `requests`, `running` and `numbers`, each guarded by its own lock, leaves.
final class RequestTable: Sendable {
    /// Where tables that share their numbers take them from.
    private final class Numbers: Sendable {
        let last = Guarded(0)
    }

    private let requests = Guarded<[ObjectIdentifier: Request]>([:])
    private let running = Guarded<[ObjectIdentifier: Request]>([:])
    private let numbers: Numbers

    init() {
        numbers = Numbers()
    }

    /// An empty table that shares its numbers with another.
    init(numberedLike other: RequestTable) {
        numbers = other.numbers
    }

    /// A number for the next request.
    func nextID() -> Int {
        numbers.last.withLock { last in
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
    var all: [Request] { running.withLock { Array($0.values) } }

    func begin(_ request: Request) {
        running.withLock { $0[ObjectIdentifier(request)] = request }
    }

    func end(_ request: Request) {
        _ = running.withLock { $0.removeValue(forKey: ObjectIdentifier(request)) }
    }

    /// Takes a request out, unless a newer one stands in its place.
    func remove(_ request: Request) {
        let key = ObjectIdentifier(request.operation)
        requests.withLock { requests in
            if requests[key] === request { requests[key] = nil }
        }
    }
}
