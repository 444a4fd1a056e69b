/// The transfers of one thread that are in flight.
struct CurlTransfers {
    private let multi: CurlLibrary.Multi
    private let options: CurlTransport.Options
    private var byExchange: [ObjectIdentifier: CurlTransfer] = [:]
    private var byHandle: [OpaquePointer: CurlExchange] = [:]

    init(_ multi: CurlLibrary.Multi, _ options: CurlTransport.Options) {
        self.multi = multi
        self.options = options
    }

    var isEmpty: Bool { byExchange.isEmpty }

    mutating func carryOut(_ command: CurlLoop.Command) {
        switch command {
        case .start(let exchange): start(exchange)
        case .goOn(let exchange):
            // What a callback refuses here would otherwise be missing in a response that seems whole.
            guard let transfer = byExchange[ObjectIdentifier(exchange)] else { return }
            let code = transfer.easy.goOn()
            if code != 0 { remove(exchange)?.end(code) }
        case .stop(let exchange):
            // The connection is closed, since the transfer is not over; a stream of HTTP/2 is reset.
            remove(exchange)
            exchange.upload.stop()
        }
    }

    /// Does what can be done without waiting, and tells of the transfers that are over.
    mutating func advance() {
        multi.perform()
        while let (handle, code) = multi.nextEnd() {
            guard let exchange = byHandle[handle] else { continue }
            remove(exchange)?.end(code)
        }
    }

    private mutating func start(_ exchange: CurlExchange) {
        // A task that was cancelled at once has ended its exchange before it began.
        guard !exchange.inbox.isOver else { return exchange.upload.stop() }
        do {
            let transfer = try CurlTransfer(exchange, options)
            guard multi.add(transfer.easy) else { throw HTTPError.failed(reason: "libcurl takes no more transfers") }
            byExchange[ObjectIdentifier(exchange)] = transfer
            byHandle[transfer.easy.handle] = exchange
        } catch {
            exchange.upload.stop()
            exchange.end(with: error)
        }
    }

    @discardableResult
    private mutating func remove(_ exchange: CurlExchange) -> CurlTransfer? {
        guard let transfer = byExchange.removeValue(forKey: ObjectIdentifier(exchange)) else { return nil }
        byHandle[transfer.easy.handle] = nil
        multi.remove(transfer.easy)
        return transfer
    }
}
