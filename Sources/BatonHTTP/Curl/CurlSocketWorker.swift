import Baton
import BatonCurl
import Foundation

/// Works on one WebSocket connection, on a thread of its own: connects, shakes hands, sends and receives.
final class CurlSocketWorker {
    /// How long the other side may take to answer a close frame.
    private static let closeTimeout = Duration.seconds(2)
    private static let receivedAtOnce = 64 << 10

    private let link: CurlSocketLink
    private let easy: CurlLibrary.Easy
    private let multi: CurlLibrary.Multi
    private var handshake: WebSocketHandshake
    private var reader: WebSocketReader
    private var random = SystemRandomNumberGenerator()
    private var output = SocketOutput()
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: receivedAtOnce, alignment: 16)
    private var openPing: [UInt8]?
    /// The latest end after a close frame was sent; nil before.
    private var deadline: ContinuousClock.Instant?
    /// True if the other side will send nothing more that counts.
    private var hasEnded = false

    /// Begins a connection. All that comes of it is told to the link.
    static func start(
        _ target: CurlSocketTarget, _ handshake: WebSocketHandshake, _ options: CurlOptions, _ link: CurlSocketLink
    ) {
        let url = target.url
        CurlThread.start(named: "baton.websocket") {
            if let worker = CurlSocketWorker(url, handshake, options, link) {
                worker.run()
            } else {
                link.end(.failure(HTTPError.failed(reason: "libcurl cannot make this connection")))
                link.stop()
            }
        }
    }

    private init?(_ url: String, _ handshake: WebSocketHandshake, _ options: CurlOptions, _ link: CurlSocketLink) {
        guard let easy = CurlLibrary.Easy(), let multi = CurlLibrary.Multi() else { return nil }
        (self.link, self.easy, self.multi, self.handshake) = (link, easy, multi, handshake)
        reader = WebSocketReader(maximumMessageSize: link.maximumMessageSize)
        options.apply(to: easy)
        easy.set(BATON_CURLOPT_URL, url)
        easy.set(BATON_CURLOPT_CONNECT_ONLY, 1)
        easy.set(BATON_CURLOPT_HTTPPROXYTUNNEL, 1)
        easy.set(BATON_CURLOPT_HTTP_VERSION, BATON_CURL_HTTP_VERSION_1_1)
        guard easy.refusal == nil, multi.add(easy) else {
            multi.close()
            return nil
        }
        link.waits(with: multi.waker)
    }

    deinit { input.deallocate() }

    private func run() {
        do {
            try connect()
            try shakeHands()
            try serve()
        } catch {
            link.end(.failure(error))
        }
        link.stop()
        multi.remove(easy)
        multi.close()
    }

    // MARK: - Stages

    private func connect() throws {
        while true {
            multi.perform()
            if let (_, code) = multi.nextEnd() {
                guard code == BATON_CURLE_OK else {
                    throw HTTPError.make(easy.end(code, hasResponse: false))
                }
                return
            }
            try wait(0)
        }
    }

    private func shakeHands() throws {
        output.add(handshake.request, nil)
        while true {
            try flush()
            let (bytes, isEnd) = try receive()
            if case .accepted(let subprotocol, let rest) = try handshake.take(bytes, isEnd: isEnd) {
                reader.append(rest)
                return link.opened(subprotocol)
            }
            if bytes.isEmpty { try wait(BATON_CURL_WAIT_IN) }
        }
    }

    private func serve() throws {
        while true {
            let work = link.work()
            if work.isDropped { throw CancellationError() }
            for letter in work.letters { write(letter) }
            let reads = !hasEnded && (work.hasRoom || deadline != nil)
            let hasRead = try reads && read()
            if output.isEmpty, let ping = openPing.take() { send(.pong, ping) }
            try flush()
            if hasEnded, output.isEmpty { return }
            if let deadline, ContinuousClock.now >= deadline { return }
            if hasRead { continue }
            try wait(reads && !hasEnded ? BATON_CURL_WAIT_IN : 0)
        }
    }

    /// Waits for the socket, or for what the link has.
    private func wait(_ events: Int) throws {
        let rest = deadline.map { max(ContinuousClock.now.duration(to: $0).milliseconds, 0) + 1 } ?? 60_000
        multi.wait(
            Int32(clamping: rest), socket: events == 0 && output.isEmpty ? -1 : easy.socket,
            events: events | (output.isEmpty ? 0 : BATON_CURL_WAIT_OUT))
        // Timers of the library that are over would end each wait.
        multi.perform()
        if link.isDropped { throw CancellationError() }
    }

    // MARK: - Out

    private func write(_ letter: CurlSocketState.Letter) {
        guard deadline == nil else {
            link.settle(letter.waiter, .failure(HTTPError.closed(reason: "the connection is closed")))
            return
        }
        switch letter.content {
        case .text(let text): send(.text, text, letter.waiter)
        case .close(let code, let reason): close(code, reason, letter.waiter)
        }
    }

    private func send(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8], _ waiter: Int? = nil) {
        guard deadline == nil else { return }
        output.add(WebSocketFrame.bytes(opcode, payload, mask: random.next()), waiter)
    }

    private func close(_ code: Int, _ reason: String, _ waiter: Int? = nil) {
        guard deadline == nil else { return }
        output.add(WebSocketFrame.close(code, reason, mask: random.next()), waiter)
        deadline = .now + Self.closeTimeout
    }

    private func flush() throws {
        while !output.isEmpty {
            let (count, code, waiter) = output.send { easy.send($0) }
            if let waiter { link.settle(waiter) }
            if code == BATON_CURLE_AGAIN { return }
            guard code == BATON_CURLE_OK, count > 0 else { throw broken(code) }
        }
    }

    // MARK: - In

    /// Takes the events that there is room for, then what has arrived; returns true if something had.
    private func read() throws -> Bool {
        do {
            while let event = try reader.next() {
                if !take(event) { return false }
            }
        } catch {
            refuse(error)
            return false
        }
        let (bytes, isEnd) = try receive()
        if isEnd { throw broken(Int32(BATON_CURLE_OK)) }
        reader.append(bytes)
        return !bytes.isEmpty
    }

    /// Takes an event; returns true if there is room for another one.
    private func take(_ event: WebSocketReader.Event) -> Bool {
        switch event {
        // After a close frame of ours, only the response to it counts.
        case .text(let bytes), .binary(let bytes): return deadline != nil || link.put(bytes)
        // Of several pings, the newest needs a response (RFC 6455, 5.5.3).
        case .ping(let payload): openPing = payload
        case .pong: break
        case .close(let code, let reason):
            link.end(.success(.closed(code: code, reason: reason)))
            close(code, "")
            hasEnded = true
            return false
        }
        return true
    }

    private func refuse(_ breach: WebSocketReader.Breach) {
        let error: any Error =
            breach.code == 1009
            ? HTTPError.bodyTooLarge(limit: link.maximumMessageSize)
            : WebSocketError.invalidMessage("in a frame, \(breach.what)")
        link.end(.failure(error))
        close(breach.code, "")
        hasEnded = true
    }

    /// The bytes that have arrived, and whether they were the last.
    private func receive() throws -> (bytes: Slice<UnsafeMutableRawBufferPointer>, isEnd: Bool) {
        let (count, code) = easy.receive(input)
        switch Int(code) {
        case BATON_CURLE_OK: return (input[..<count], count == 0)
        case BATON_CURLE_AGAIN: return (input[..<0], false)
        case BATON_CURLE_GOT_NOTHING: return (input[..<0], true)
        default: throw broken(code)
        }
    }

    private func broken(_ code: Int32) -> HTTPError {
        .closed(reason: code == BATON_CURLE_OK ? "closed by the server" : easy.text(code))
    }
}
