import BatonCurl

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
    /// The local port of the connection; nil before there is one.
    private(set) var port: Int?
    /// Nil if nobody wants to know.
    private let news: CurlNews?
    /// Why a callback has ended the transfer.
    private var failure: (any Error)?

    /// Prepares a transfer; throws if the request cannot be sent.
    init(_ exchange: CurlExchange, _ options: CurlTransport.Options, _ news: CurlNews?) throws {
        guard let easy = CurlLibrary.Easy() else { throw HTTPError.failed(reason: "there is no memory for a transfer") }
        self.easy = easy
        self.exchange = exchange
        self.news = news
        head = HTTPHeadReader(maximumSize: options.maximumHeadSize)
        maximumInflation = options.maximumInflation
        let request = exchange.request
        let usesHTTP2 = options.offersHTTP2(to: request.url)
        easy.set(BATON_CURLOPT_HTTP_VERSION, usesHTTP2 ? BATON_CURL_HTTP_VERSION_2TLS : BATON_CURL_HTTP_VERSION_1_1)
        // A request waits for a connection that may turn out to be shared.
        easy.set(BATON_CURLOPT_PIPEWAIT, usesHTTP2 ? 1 : 0)
        easy.set(BATON_CURLOPT_MAXAGE_CONN, max(options.keepAlive.milliseconds / 1_000, 1))
        options.connecting.apply(to: easy)
        easy.set(BATON_CURLOPT_URL, try CurlRequest.url(of: request))
        easy.set(BATON_CURLOPT_PATH_AS_IS, 1)
        easy.set(BATON_CURLOPT_HTTP09_ALLOWED, 0)
        easy.set(BATON_CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        easy.setHead(try CurlRequest.lines(of: request))
        setMethod(request.method, length: exchange.upload.length)
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
        // A body cannot be sent twice because it cannot be wound back.
        if length == 0, !CurlLibrary.hasGate { easy.set(BATON_CURLOPT_FRESH_CONNECT, 1) }
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
        easy.setGate { context, _, _, _, port in CurlTransfer.of(context)?.letThrough(Int(port)) == true ? 0 : 1 }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The library asks before each time that it sends the request. The second time would be a repetition.
    private func letThrough(_ port: Int) -> Bool {
        guard self.port == nil else { return false }
        self.port = port
        news?.connected.append(exchange)
        return true
    }

    private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
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

    /// Tells the tasks how the transfer has ended.
    func end(_ code: Int32) {
        exchange.upload.stop()
        if code == BATON_CURLE_OK, failure == nil, hasHead {
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
