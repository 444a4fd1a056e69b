import Foundation

/// The transfers of one thread that are in flight, and the requests that wait for one.
struct CurlTransfers {
    /// A server, and how it is spoken to.
    private struct Origin: Hashable {
        let host: String
        let port: Int
        /// True if requests may share connections, and it shows which one they get.
        let mayShare: Bool
    }

    private struct Entry {
        let transfer: CurlTransfer
        let origin: Origin
        /// True if the request was to be sent before, and was not.
        var isSecond = false
    }

    /// So many servers are remembered without requests.
    private static let mostOrigins = 64

    private let multi: CurlLibrary.Multi
    private let options: CurlTransport.Options
    private let news = CurlNews()
    private let sockets = CurlSockets()
    private var byExchange: [ObjectIdentifier: Entry] = [:]
    private var byHandle: [OpaquePointer: CurlExchange] = [:]
    private var queues: [Origin: StreamQueue<CurlExchange>] = [:]

    init(_ multi: CurlLibrary.Multi, _ options: CurlTransport.Options) {
        self.multi = multi
        self.options = options
    }

    /// True if nothing is in flight; then nothing waits either.
    var isEmpty: Bool { byExchange.isEmpty }

    /// Closes the connections.
    func close() { withExtendedLifetime(sockets) { multi.close() } }

    mutating func carryOut(_ command: CurlLoop.Command) {
        switch command {
        case .start(let exchange):
            let origin = origin(of: exchange)
            if queues[origin] == nil { queues[origin] = queue(origin) }
            queues[origin]?.add(exchange)
            startNext(at: origin)
        case .goOn(let exchange):
            // What a callback refuses here would otherwise be missing in a response that seems whole.
            guard let entry = byExchange[ObjectIdentifier(exchange)] else { return }
            let code = entry.transfer.easy.goOn()
            if code != 0 { remove(exchange)?.end(code) }
        case .stop(let exchange):
            byExchange[ObjectIdentifier(exchange)]?.transfer.giveUp()
            // The connection is closed, since the transfer is not over; a stream of HTTP/2 is reset.
            if remove(exchange) == nil { queues[origin(of: exchange)]?.abandon { $0.inbox.isOver } }
            exchange.upload.stop()
        }
    }

    /// Does what can be done without waiting, and tells of the transfers that are over.
    mutating func advance() {
        multi.perform()
        var ends: [(exchange: CurlExchange, code: Int32)] = []
        while let (handle, code) = multi.nextEnd() {
            if let exchange = byHandle[handle] { ends.append((exchange, code)) }
        }
        // A request that is over may have left its place to one that has got it since. Counted the other way round, a
        // connection would seem to have more room than it has.
        let fresh = Set(news.connected.map(ObjectIdentifier.init))
        end(ends.filter { !fresh.contains(ObjectIdentifier($0.exchange)) })
        takeNews()
        end(ends.filter { fresh.contains(ObjectIdentifier($0.exchange)) })
    }

    private mutating func end(_ ends: [(exchange: CurlExchange, code: Int32)]) {
        for (exchange, code) in ends where !sendAgain(exchange, code) {
            remove(exchange, hasFailed: code != 0)?.end(code)
        }
    }

    /// Sends a request once more, over a new connection, if the server has certainly not carried it out. False if it
    /// is not to be sent.
    private mutating func sendAgain(_ exchange: CurlExchange, _ code: Int32) -> Bool {
        guard let entry = byExchange[ObjectIdentifier(exchange)], !entry.isSecond,
            entry.transfer.isCertainlyNotDone(code), !exchange.inbox.isOver,
            exchange.upload.windBack(to: exchange.request.body),
            let second = try? transfer(exchange, entry.origin, isFresh: true)
        else { return false }
        multi.remove(entry.transfer.easy)
        byHandle[entry.transfer.easy.handle] = nil
        entry.transfer.socket?.ended()
        queues[entry.origin]?.beganAgain(entry.origin.mayShare ? entry.transfer.port : nil)
        byExchange[ObjectIdentifier(exchange)] = Entry(transfer: second, origin: entry.origin, isSecond: true)
        byHandle[second.easy.handle] = exchange
        return true
    }

    /// Makes a transfer and adds it to those in flight.
    private func transfer(_ exchange: CurlExchange, _ origin: Origin, isFresh: Bool) throws -> CurlTransfer {
        let transfer = try CurlTransfer(
            exchange, options, sockets, origin.mayShare ? news : nil, isFresh: isFresh)
        guard multi.add(transfer.easy) else { throw HTTPError.failed(reason: "libcurl takes no more transfers") }
        return transfer
    }

    private mutating func start(_ exchange: CurlExchange, _ origin: Origin) {
        // A task that was cancelled at once has ended its exchange before it began.
        guard !exchange.inbox.isOver else { return exchange.upload.stop() }
        do {
            let transfer = try transfer(exchange, origin, isFresh: false)
            byExchange[ObjectIdentifier(exchange)] = Entry(transfer: transfer, origin: origin)
            byHandle[transfer.easy.handle] = exchange
        } catch {
            exchange.upload.stop()
            exchange.end(with: error)
        }
    }

    @discardableResult
    private mutating func remove(_ exchange: CurlExchange, hasFailed: Bool = false) -> CurlTransfer? {
        guard let entry = byExchange.removeValue(forKey: ObjectIdentifier(exchange)) else { return nil }
        byHandle[entry.transfer.easy.handle] = nil
        multi.remove(entry.transfer.easy)
        entry.transfer.socket?.ended()
        queues[entry.origin]?.ended(entry.origin.mayShare ? entry.transfer.port : nil, hasFailed: hasFailed)
        startNext(at: entry.origin)
        return entry.transfer
    }

    // MARK: - Queues

    private func origin(of exchange: CurlExchange) -> Origin {
        let url = exchange.request.url
        let isSecure = url.scheme?.lowercased() == "https"
        return Origin(
            host: url.host?.lowercased() ?? "", port: url.port ?? (isSecure ? 443 : 80),
            mayShare: options.offersHTTP2(to: url) && CurlLibrary.hasGate)
    }

    private func queue(_ origin: Origin) -> StreamQueue<CurlExchange> {
        StreamQueue(connections: options.connections, mayShare: origin.mayShare)
    }

    private mutating func takeNews() {
        for exchange in news.connected {
            guard let entry = byExchange[ObjectIdentifier(exchange)], let port = entry.transfer.port else { continue }
            queues[entry.origin]?.connected(port)
            startNext(at: entry.origin)
        }
        for (exchange, isHTTP2) in news.heads {
            guard let origin = byExchange[ObjectIdentifier(exchange)]?.origin else { continue }
            queues[origin]?.heard(sharesConnections: isHTTP2)
            startNext(at: origin)
        }
        (news.connected, news.heads) = ([], [])
    }

    private mutating func startNext(at origin: Origin) {
        while let exchange = queues[origin]?.next() {
            start(exchange, origin)
            if byExchange[ObjectIdentifier(exchange)] == nil { queues[origin]?.ended(nil) }
        }
        if queues.count > Self.mostOrigins { queues = queues.filter { !$0.value.isEmpty } }
    }
}
