import Baton
import BatonCurl
import Foundation

/// One request in flight, as the thread of its loop sees it: the handle, and the callbacks of the library.
final class CurlTransfer {
    let easy: CurlLibrary.Easy
    private let exchange: CurlExchange
    private var head: HTTPHeadReader
    private var hasHead = false
    private let maximumInflation: Int
    /// So many received bytes may be missing in the count of the library; nil if the body is not compressed.
    private var uncounted: Int?
    private var bytes = 0
    /// The local port of the connection that the request goes over; nil before it does.
    private(set) var port: Int?
    private let sockets: CurlSockets
    /// The connection that the request goes over, if it is known.
    private(set) var socket: CurlSocket?
    private let isPlain: Bool
    private let isFresh: Bool
    /// True if nobody can look at the connection; then it is no kept one.
    private let isBlind: Bool
    /// When the request went out.
    private var began = ContinuousClock.now
    /// Of a connection that was silent for longer, nothing is expected any more when its request is given up.
    private static let longestSilence = Duration.seconds(1)
    private var hasBegun = false
    /// True if a callback has ended the transfer before the server can have got the request.
    private var isUnsent = false
    /// Nil if nobody wants to know.
    private let news: CurlNews?
    /// Why a callback has ended the transfer.
    private var failure: (any Error)?

    /// Prepares a transfer; throws if the request cannot be sent.
    ///
    /// - Parameter isFresh: True if the request must not go over a connection that was used before.
    init(
        _ exchange: CurlExchange, _ options: CurlTransport.Options, _ sockets: CurlSockets, _ news: CurlNews?,
        isFresh: Bool
    ) throws {
        guard let easy = CurlLibrary.Easy(sockets.watch) else {
            throw HTTPError.failed(reason: "there is no memory for a transfer")
        }
        self.easy = easy
        self.exchange = exchange
        self.sockets = sockets
        self.news = news
        isPlain = exchange.request.url.scheme?.lowercased() == "http"
        self.isFresh = isFresh
        // What waits on a kept connection can only be seen in the gate, and by the addresses of its ends.
        isBlind = !CurlLibrary.hasGate || options.connecting.unixSocket != nil
        head = HTTPHeadReader(maximumSize: options.maximumHeadSize)
        maximumInflation = options.maximumInflation
        let request = exchange.request
        let usesHTTP2 = options.offersHTTP2(to: request.url)
        easy.set(BATON_CURLOPT_HTTP_VERSION, usesHTTP2 ? BATON_CURL_HTTP_VERSION_2TLS : BATON_CURL_HTTP_VERSION_1_1)
        // A request waits for a connection that may turn out to be shared.
        easy.set(BATON_CURLOPT_PIPEWAIT, usesHTTP2 ? 1 : 0)
        easy.set(BATON_CURLOPT_MAXAGE_CONN, max(options.idleTime.milliseconds / 1_000, 1))
        options.connecting.apply(to: easy)
        easy.set(BATON_CURLOPT_URL, try CurlRequest.url(of: request))
        easy.set(BATON_CURLOPT_PATH_AS_IS, 1)
        easy.set(BATON_CURLOPT_HTTP09_ALLOWED, 0)
        easy.set(BATON_CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        easy.setHead(try CurlRequest.lines(of: request))
        setMethod(request.method, length: exchange.upload.length)
        setReuse()
        setCallbacks()
        if let code = easy.refusal {
            throw HTTPError.failed(reason: "libcurl refuses an option of the request (\(easy.text(code)))")
        }
    }

    private func setMethod(_ method: HTTPRequest.Method, length: Int) {
        let hasBody = length > 0 || method == .post || method == .put
        if hasBody {
            easy.set(BATON_CURLOPT_POST, 1)
            easy.setOffset(BATON_CURLOPT_POSTFIELDSIZE_LARGE, length)
        }
        if method != (hasBody ? .post : .get) { easy.set(BATON_CURLOPT_CUSTOMREQUEST, method.rawValue) }
    }

    private func setReuse() {
        if isFresh || isBlind { easy.set(BATON_CURLOPT_FRESH_CONNECT, 1) }
        if isBlind { easy.set(BATON_CURLOPT_FORBID_REUSE, 1) }
    }

    // MARK: - Callbacks

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        easy.setContext(BATON_CURLOPT_HEADERDATA, context)
        easy.set(BATON_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlTransfer.of(context)?.takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        easy.setContext(BATON_CURLOPT_WRITEDATA, context)
        easy.set(BATON_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlTransfer.of(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        easy.setContext(BATON_CURLOPT_READDATA, context)
        easy.set(BATON_CURLOPT_READFUNCTION) { bytes, size, count, context in
            CurlTransfer.of(context)?.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
                ?? BATON_CURL_READ_ABORT
        }
        guard CurlLibrary.hasGate else { return }
        easy.setContext(BATON_CURLOPT_PREREQDATA, context)
        easy.setGate { context, remote, _, remotePort, localPort in
            guard let transfer = CurlTransfer.of(context), let remote else { return 1 }
            return transfer.letThrough(String(cString: remote), Int(remotePort), Int(localPort)) ? 0 : 1
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The library asks before each time that it sends the request. The second time would be a repetition.
    private func letThrough(_ remote: String, _ remotePort: Int, _ localPort: Int) -> Bool {
        guard port == nil else { return false }
        let socket = sockets.find(remote, remotePort, localPort)
        let state = socket?.look(isPlain: isPlain) ?? (isFresh || isBlind ? .clear : .spent)
        guard state == .clear else {
            // Newer libraries would offer the connection to the next request too.
            easy.set(BATON_CURLOPT_FORBID_REUSE, 1)
            isUnsent = state == .spent
            if !isUnsent { failure = HTTPError.closed(reason: "the server sent something before the request") }
            return false
        }
        socket?.began()
        self.socket = socket
        began = .now
        port = localPort
        news?.connected.append(exchange)
        return true
    }

    /// Looks at the first line of a response. False if it cannot be one to this request.
    private func begins(with line: UnsafeRawBufferPointer) -> Bool {
        hasBegun = true
        guard line.starts(with: "HTTP/1".utf8), !exchange.upload.isWhole else { return true }
        // The server has answered before it has got all, or something was on its way that nobody asked for.
        defer { socket?.retire() }
        guard case .bytes = exchange.request.body, exchange.upload.isUntouched else { return true }
        // On a new connection, nothing but an answer can come. No byte of the body has gone out.
        isUnsent = socket?.isKept == true
        return !isUnsent
    }

    private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
        socket?.lastWord = .now
        guard hasBegun || begins(with: line) else { return 0 }
        do {
            // What comes after the head is a trailer.
            guard !hasHead else {
                try head.count(line.count)
                return line.count
            }
            hasHead = try head.take(line)
        } catch {
            failure = error
            return 0
        }
        if hasHead {
            let isCompressed = head.headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
            // Of chunks, those are not counted that are being inflated.
            if isCompressed { uncounted = head.headers["Transfer-Encoding"] == nil ? 1 << 10 : 16 << 10 }
            socket?.heard(isHTTP2: head.isHTTP2)
            news?.heads.append((exchange, head.isHTTP2))
            exchange.inbox.put(ResponseInbox.Head(status: head.status, headers: head.headers))
        }
        return line.count
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> Int {
        guard hasHead else {
            failure = HTTPError.notHTTP
            return 0
        }
        socket?.lastWord = .now
        guard exchange.inbox.put(piece) else { return BATON_CURL_PAUSE }
        bytes += piece.count
        if let uncounted, bytes / maximumInflation > easy.receivedBytes + uncounted {
            failure = HTTPError.compression(reason: "it becomes more than \(maximumInflation) times larger")
            return 0
        }
        return piece.count
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch exchange.upload.fill(buffer) {
        case .bytes(let count): return count
        case .end: return 0
        case .later: return BATON_CURL_PAUSE
        case .failure(let error):
            failure = error
            return BATON_CURL_READ_ABORT
        }
    }

    // MARK: - The end

    /// Whether the server has certainly not carried the request out, so that it may be sent again, whatever it does.
    ///
    /// This is the one rule for it; the design page of libcurl has the cases, and what cannot be told apart.
    func isCertainlyNotDone(_ code: Int32) -> Bool {
        guard code != BATON_CURLE_OK, failure == nil else { return false }
        if isUnsent { return true }
        // On a connection that no other request has had, the library begins again only if the server refused the
        // stream.
        let isRefused = Int(code) == BATON_CURLE_ABORTED_BY_CALLBACK || Int(code) == BATON_CURLE_SEND_FAIL_REWIND
        return isRefused && !hasBegun && !isPlain && socket?.requests == 1
    }

    /// Notes that nobody wants the response any more. A connection that was silent all the time may be one that the
    /// server has forgotten, or allows no streams, and gets no other requests.
    func giveUp() {
        guard let socket, !hasBegun, began.duration(to: .now) > Self.longestSilence else { return }
        socket.abandoned(since: began)
    }

    /// True if the body has all bytes that the head has announced, and they are not compressed.
    private var isBodyWhole: Bool {
        hasHead && uncounted == nil && head.headers["Content-Length"].flatMap { Int($0) } == bytes
    }

    /// Tells the tasks how the transfer has ended.
    func end(_ code: Int32) {
        exchange.upload.stop()
        // The rest of an upload may break after an answer that came early.
        let isCut = [BATON_CURLE_SEND_ERROR, BATON_CURLE_RECV_ERROR, BATON_CURLE_HTTP2_STREAM].contains(Int(code))
        if code == BATON_CURLE_OK || isCut && isBodyWhole, failure == nil, hasHead {
            _ = exchange.inbox.end(.success(()), keepsWaiting: true)
        } else if code == BATON_CURLE_OK, failure == nil {
            // The library takes what was there of a head for the whole.
            _ = exchange.inbox.end(
                .failure(HTTPError.closed(reason: "closed by the server within the head")), keepsWaiting: false)
        } else {
            let error = failure ?? HTTPError.make(easy.end(code, hasResponse: hasHead))
            // What came before the connection broke is still read.
            _ = exchange.inbox.end(.failure(error), keepsWaiting: failure == nil)
        }
    }
}
