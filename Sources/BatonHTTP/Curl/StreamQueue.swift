/// Decides when requests to one server begin, in the order in which they came.
///
/// libcurl lets newer requests pass those that wait for a connection, and looks at each waiting one whenever it does
/// anything. So no more requests begin than there may be connections.
///
/// Over HTTP/2, libcurl makes a connection for each request that finds no room on the ones that are there, also while
/// another one is being made that has room for a hundred. So only as many requests begin as there is room for, and one
/// more, which makes a connection. How many a connection takes is not told; it shows in the local ports that requests
/// get.
///
/// - The first request begins alone, and the second one when the first has a connection. It shows whether they share.
/// - A request that gets a new connection shows that the other ones were full. Of several connections made at the same
///   time some may have got few requests yet, so the fullest one counts.
struct StreamQueue<Request> {
    private enum Kind {
        case unknown, separate
        /// A connection takes so many requests at the same time.
        case shared(limit: Int)
    }

    /// The most ports that are remembered.
    private static var mostPorts: Int { 256 }

    private let connections: Int
    private var kind: Kind
    /// Those that have not begun, in the order in which they came.
    private var waiting: ArraySlice<Request> = []
    /// The number of requests that have begun and are not over.
    private var inFlight = 0
    /// How many of them have no connection yet, as far as is known.
    private var undecided = 0
    /// The number of waiting ones that nobody wants any more, or a few more than that.
    private var abandoned = 0
    /// How many of the waiting ones begin in any case.
    private var passes = 0
    /// The number of requests in flight on each connection, by its local port.
    private var streams: [Int: Int] = [:]
    /// The ports that requests had, of which some are those of connections that are kept.
    private var ports: Set<Int> = []

    /// - Parameters:
    ///   - connections: The most connections that there may be.
    ///   - mayShare: False if each request has a connection of its own; then nobody need say which one it has.
    init(connections: Int, mayShare: Bool) {
        self.connections = connections
        kind = mayShare ? .unknown : .separate
    }

    /// True if no request waits and none is in flight.
    var isEmpty: Bool { waiting.isEmpty && inFlight == 0 }

    mutating func add(_ request: Request) { waiting.append(request) }

    /// Notes that nobody wants one of the waiting requests any more. The closure says of each whether it is such a one.
    mutating func abandon(_ isAbandoned: (Request) -> Bool) {
        abandoned += 1
        guard abandoned > 16, abandoned > waiting.count / 2 else { return }
        waiting.removeAll(where: isAbandoned)
        abandoned = 0
    }

    /// Takes the next request that begins now; nil if there is none. Costs a step for each connection in use.
    mutating func next() -> Request? {
        guard !waiting.isEmpty, mayBegin || passes > 0 && inFlight < connections else { return nil }
        passes = max(passes - 1, 0)
        inFlight += 1
        undecided += 1
        return waiting.popFirst()
    }

    private var mayBegin: Bool {
        switch kind {
        case .separate: inFlight < connections
        case .unknown: undecided == 0
        case .shared(let limit):
            undecided == 0 || streams.values.reduce(0) { $0 + max(limit - $1, 0) } > undecided
        }
    }

    /// Notes that a request that has begun goes over the connection with this port.
    mutating func connected(_ port: Int) {
        undecided -= 1
        let fullest = streams.values.max()
        let count = streams[port, default: 0] + 1
        streams[port] = count
        if count > 1 {
            guard case .shared(let limit) = kind, count <= limit else {
                kind = .shared(limit: count)
                return
            }
        } else if !ports.contains(port), let fullest {
            switch kind {
            case .unknown: kind = .separate
            case .separate: break
            case .shared: kind = .shared(limit: fullest)
            }
        }
        if ports.count >= Self.mostPorts { ports = [] }
        ports.insert(port)
    }

    /// Notes the version of HTTP that a server has chosen.
    mutating func heard(sharesConnections: Bool) {
        guard case .unknown = kind else { return }
        kind = sharesConnections ? .shared(limit: streams.values.max() ?? 1) : .separate
    }

    /// Notes that a request begins again, which was let go of by the connection with this port, or had none.
    mutating func beganAgain(_ port: Int?) {
        guard let port else { return }
        ended(port)
        inFlight += 1
        undecided += 1
    }

    /// Notes that a request is over.
    ///
    /// - Parameters:
    ///   - port: The port of its connection, if it got one.
    ///   - hasFailed: True if no connection could be made. Where there is no other one, nobody waits for any.
    mutating func ended(_ port: Int?, hasFailed: Bool = false) {
        inFlight -= 1
        guard let port else {
            undecided -= 1
            if case .separate = kind { return }
            if hasFailed, streams.isEmpty { passes = waiting.count }
            return
        }
        guard let count = streams[port] else { return }
        streams[port] = count > 1 ? count - 1 : nil
    }
}
