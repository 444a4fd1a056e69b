/// The queries in flight: when the oldest of them began, and which are overtaken by a newer request of their operation.
///
/// Each call takes constant time on average, however many queries are in flight.
struct QueriesInFlight {
    private struct Query {
        /// The version at the beginning of the query.
        let began: Epoch
        let operation: ObjectIdentifier?
    }

    /// The requests of one operation.
    private struct Requests {
        var count = 0
        /// The number of the newest request whose answer has landed; 0 if none has.
        var landed = 0
    }

    /// By the number of the request.
    private var queries: [Int: Query] = [:]
    private var operations: [ObjectIdentifier: Requests] = [:]
    /// The requests in the order in which they began, and thus of the versions. Those that have ended may be among
    /// them.
    private var order: [Int] = []
    private var orderStart = 0

    var isEmpty: Bool { queries.isEmpty }

    /// The version at the beginning of the oldest query; nil if none is in flight.
    private(set) var oldest: Epoch?

    /// Adds a query. No version may be older than those of earlier calls.
    mutating func begin(_ request: Int, of operation: BoundOperation?, at epoch: Epoch) {
        let operation = operation.map(ObjectIdentifier.init)
        queries[request] = Query(began: epoch, operation: operation)
        if let operation {
            // Reading and writing costs two lookups, and changing an entry in its place an allocation.
            var requests = operations[operation] ?? Requests()
            requests.count += 1
            operations[operation] = requests
        }
        if order.count - orderStart > 2 * queries.count + 64 {
            order = order[orderStart...].filter { queries[$0] != nil }
            orderStart = 0
        }
        order.append(request)
        oldest = oldest ?? epoch
    }

    /// Removes a query; returns false if it is not there.
    mutating func end(_ request: Int) -> Bool {
        guard let query = queries.removeValue(forKey: request) else { return false }
        if let operation = query.operation, var requests = operations[operation] {
            requests.count -= 1
            operations[operation] = requests.count > 0 ? requests : nil
        }
        while orderStart < order.count, queries[order[orderStart]] == nil { orderStart += 1 }
        oldest = orderStart < order.count ? queries[order[orderStart]]?.began : nil
        if orderStart > order.count / 2 {
            order.removeFirst(orderStart)
            orderStart = 0
        }
        return true
    }

    /// Notes that an answer has landed, which makes the answers of older requests of the same operation outdated.
    mutating func answerLanded(_ request: Int) {
        guard let operation = queries[request]?.operation, var requests = operations[operation],
            requests.landed < request
        else { return }
        requests.landed = request
        operations[operation] = requests
    }

    /// The version at the beginning of a query; nil if it is not in flight.
    func began(_ request: Int) -> Epoch? { queries[request]?.began }

    /// True if a newer request of the same operation has landed.
    func isOvertaken(_ request: Int) -> Bool {
        guard let operation = queries[request]?.operation, let requests = operations[operation] else { return false }
        return requests.landed > request
    }
}
