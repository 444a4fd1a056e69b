/// The queries in flight, with the beginning of the oldest query and the queries that a newer request has overtaken.
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
        /// The number of the newest request whose response has landed; 0 if none has.
        var landed = 0
    }

    /// The queries by the numbers of their requests.
    private var queries: [Int: Query] = [:]
    private var operations: [ObjectIdentifier: Requests] = [:]
    /// The requests in the order in which they began, which is also the order of their versions. Ended requests may be
    /// among them.
    private var order: [Int] = []
    private var orderStart = 0

    var isEmpty: Bool { queries.isEmpty }

    /// The version at the beginning of the oldest query; nil if none is in flight.
    private(set) var oldest: Epoch?

    /// Adds a query. Its version must not be older than the versions of earlier calls.
    mutating func begin(_ request: Int, of operation: BoundOperation?, at epoch: Epoch) {
        let operation = operation.map(ObjectIdentifier.init)
        queries[request] = Query(began: epoch, operation: operation)
        if let operation {
            // A read and a write cost two lookups, whereas a change of the entry in place would cost an allocation.
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

    /// Notes that a response has landed, which makes the responses of older requests of the same operation outdated.
    mutating func responseLanded(_ request: Int) {
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
