#if !canImport(Darwin)
    import BatonCurl
    import BatonDiagnostics

    /// Sends one request over the system's libcurl, and waits for the answer.
    ///
    /// The library stops at its time limit, whatever the server does, and follows no redirects. `BATON_CURLOPT_PROXY`
    /// is not set, so that the variables of the environment name the proxy.
    final class CurlClient {
        private let limits: ServerRequest.Limits
        private var answer = ServerAnswer()
        private var headSize = 0
        /// True after the last head; what follows are trailers.
        private var hasHead = false
        /// Why a callback has ended the transfer.
        private var failure: FetchFailure?

        private init(_ limits: ServerRequest.Limits) {
            self.limits = limits
        }

        static func send(_ request: ServerRequest) throws(FetchFailure) -> ServerAnswer {
            let status = Int(baton_curl_load())
            guard status == BATON_CURL_LOADED else { throw unavailable(status) }
            guard let easy = baton_curl_easy_init() else { throw FetchFailure("there is no memory for a request") }
            defer { baton_curl_easy_cleanup(easy) }
            var list: OpaquePointer?
            defer { if let list { baton_curl_slist_free_all(list) } }
            // No server is asked whether it wants a body.
            for line in request.lines + ["Expect:"] {
                guard let longer = baton_curl_slist_append(list, line) else {
                    throw FetchFailure("there is no memory for a request")
                }
                list = longer
            }
            let client = CurlClient(request.limits)
            let message = UnsafeMutablePointer<CChar>.allocate(capacity: BATON_CURL_ERROR_SIZE)
            message.initialize(repeating: 0, count: BATON_CURL_ERROR_SIZE)
            defer { message.deallocate() }
            var refusal: Int32 = 0
            func note(_ code: Int32) { if refusal == 0 { refusal = code } }
            func set(_ name: Int, _ value: Int) { note(baton_curl_set_long(easy, Int32(name), value)) }
            func set(_ name: Int, _ value: String) { note(baton_curl_set_string(easy, Int32(name), value)) }
            note(baton_curl_set_context(easy, Int32(BATON_CURLOPT_ERRORBUFFER), message))
            note(baton_curl_set_guards(easy, nil))
            set(BATON_CURLOPT_NOSIGNAL, 1)
            set(BATON_CURLOPT_PROTOCOLS, BATON_CURL_PROTOCOLS_HTTP_AND_HTTPS)
            set(BATON_CURLOPT_HTTP09_ALLOWED, 0)
            set(BATON_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            set(BATON_CURLOPT_PATH_AS_IS, 1)
            set(BATON_CURLOPT_HTTP_VERSION, BATON_CURL_HTTP_VERSION_2TLS)
            set(BATON_CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
            set(BATON_CURLOPT_TIMEOUT_MS, request.milliseconds)
            set(BATON_CURLOPT_CONNECTTIMEOUT_MS, request.milliseconds)
            if let authorities = request.authorities { set(BATON_CURLOPT_CAINFO, authorities) }
            set(BATON_CURLOPT_URL, request.address.text)
            note(baton_curl_set_list(easy, Int32(BATON_CURLOPT_HTTPHEADER), list))
            // The size says that the text is no C string; the library keeps a copy.
            note(baton_curl_set_offset(easy, Int32(BATON_CURLOPT_POSTFIELDSIZE_LARGE), Int64(request.body.count)))
            set(BATON_CURLOPT_COPYPOSTFIELDS, String(decoding: request.body, as: UTF8.self))
            client.setCallbacks(easy, note)
            guard refusal == 0 else {
                throw FetchFailure("libcurl refuses an option (\(text(refusal, message)))")
            }
            let code = withExtendedLifetime(client) { baton_curl_easy_perform(easy) }
            if let failure = client.failure { throw failure }
            guard code == BATON_CURLE_OK else {
                let tunnel = baton_curl_long_info(easy, Int32(BATON_CURL_INFO_HTTP_CONNECTCODE))
                throw .make(
                    curl: code, text(code, message), isAnswered: client.answer.status != 0, tunnelStatus: tunnel,
                    request)
            }
            guard client.answer.status != 0 else {
                throw FetchFailure("the server closed the connection within the head", isTransient: true)
            }
            return client.answer
        }

        private static func text(_ code: Int32, _ message: UnsafePointer<CChar>) -> String {
            String(cString: baton_curl_text(code, message))
        }

        private static func unavailable(_ status: Int) -> FetchFailure {
            let reason =
                switch status {
                case BATON_CURL_MISSING: "there is no 'libcurl.so.4' on this system"
                case BATON_CURL_STATIC: "a fully static program cannot open 'libcurl.so.4'"
                case BATON_CURL_TOO_OLD: "'libcurl.so.4' is too old: 7.68 or newer is needed"
                case BATON_CURL_WITHOUT_RESOLVER:
                    "'libcurl.so.4' is built without a resolver of its own (c-ares or threads)"
                default: "'libcurl.so.4' could not be initialized"
                }
            return FetchFailure(
                reason, suggestion: "fetch the schema with another program; the guide 'Compiling documents' has one")
        }

        // MARK: - Callbacks

        private func setCallbacks(_ easy: OpaquePointer, _ note: (Int32) -> Void) {
            let context = Unmanaged.passUnretained(self).toOpaque()
            note(baton_curl_set_context(easy, Int32(BATON_CURLOPT_HEADERDATA), context))
            note(
                baton_curl_set_transfer(easy, Int32(BATON_CURLOPT_HEADERFUNCTION)) { bytes, size, count, context in
                    CurlClient.of(context)?.takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
                })
            note(baton_curl_set_context(easy, Int32(BATON_CURLOPT_WRITEDATA), context))
            note(
                baton_curl_set_transfer(easy, Int32(BATON_CURLOPT_WRITEFUNCTION)) { bytes, size, count, context in
                    CurlClient.of(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
                })
        }

        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlClient? {
            context.map { Unmanaged<CurlClient>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Takes a line of a head. A head of an informational status is followed by another one.
        private func takeLine(_ bytes: UnsafeRawBufferPointer) -> Int {
            headSize += bytes.count
            guard headSize <= limits.head else {
                failure = FetchFailure("the head of the answer is larger than \(limits.head >> 10) KB")
                return 0
            }
            guard !hasHead else { return bytes.count }
            let line = String(decoding: bytes, as: UTF8.self)
            if line == "\r\n" || line == "\n" {
                hasHead = answer.status >= 200
            } else if line.hasPrefix("HTTP/") {
                let parts = line.split(whereSeparator: \.isWhitespace)
                answer = ServerAnswer()
                answer.status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
                let end = value.lastIndex { !$0.isWhitespace }.map { value.index(after: $0) } ?? value.startIndex
                answer.fields[line[..<colon].lowercased()] = String(value[..<end])
            }
            return bytes.count
        }

        private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard answer.body.count + bytes.count <= limits.body else {
                failure = FetchFailure("the answer is larger than \(limits.body >> 20) MB")
                return 0
            }
            answer.body += bytes
            return bytes.count
        }
    }

    extension FetchFailure {
        /// The failure in the words of this program.
        fileprivate static func make(
            curl code: Int32, _ text: String, isAnswered: Bool, tunnelStatus: Int, _ request: ServerRequest
        ) -> FetchFailure {
            let reason = text.printable
            let server = "'\(request.address.displayed)'"
            let proxyHint = "the variables 'http_proxy', 'https_proxy', 'all_proxy' and 'no_proxy' choose the proxy"
            switch Int(code) {
            case BATON_CURLE_COULDNT_RESOLVE_PROXY:
                return FetchFailure("the proxy's name is not found (\(reason))", suggestion: proxyHint)
            case BATON_CURLE_PROXY: return FetchFailure("the proxy refuses (\(reason))", suggestion: proxyHint)
            case BATON_CURLE_RECV_ERROR where tunnelStatus != 0 && !(200..<300).contains(tunnelStatus):
                return FetchFailure("the proxy refuses to connect to \(server) (\(reason))", suggestion: proxyHint)
            case BATON_CURLE_COULDNT_RESOLVE_HOST:
                return FetchFailure("the name of the server is not found (\(reason))", isTransient: true)
            case BATON_CURLE_COULDNT_CONNECT:
                let hint = request.proxyVariable.map { "the variable '\($0)' names a proxy to go through" }
                return FetchFailure("no connection to \(server) (\(reason))", suggestion: hint, isTransient: true)
            case BATON_CURLE_OPERATION_TIMEDOUT:
                return FetchFailure(
                    "\(server) did not answer in time (\(reason))", suggestion: "'--timeout' allows more seconds",
                    isTransient: true)
            case BATON_CURLE_PARTIAL_FILE,
                BATON_CURLE_RECV_ERROR where isAnswered,
                BATON_CURLE_HTTP2_STREAM where isAnswered:
                return FetchFailure("the answer breaks off (\(reason))", isTransient: true)
            case BATON_CURLE_GOT_NOTHING, BATON_CURLE_SEND_ERROR, BATON_CURLE_RECV_ERROR, BATON_CURLE_HTTP2,
                BATON_CURLE_HTTP2_STREAM, BATON_CURLE_SEND_FAIL_REWIND:
                return FetchFailure("\(server) closed the connection (\(reason))", isTransient: true)
            case BATON_CURLE_BAD_CONTENT_ENCODING:
                return FetchFailure("the answer is not compressed as it says (\(reason))")
            case BATON_CURLE_WRITE_ERROR where isAnswered:
                return FetchFailure(
                    "the answer is not compressed as it says (something follows the compressed content, such as a second "
                        + "member of gzip)")
            case BATON_CURLE_UNSUPPORTED_PROTOCOL, BATON_CURLE_WEIRD_SERVER_REPLY:
                return FetchFailure("what answers at \(server) does not speak HTTP (\(reason))")
            case BATON_CURLE_SSL_CONNECT_ERROR:
                return SchemeSigns.failure(ofTLS: reason, request.address)
                    ?? FetchFailure("the connection to \(server) cannot be made secure (\(reason))")
            case BATON_CURLE_PEER_FAILED_VERIFICATION, BATON_CURLE_SSL_ISSUER_ERROR:
                return FetchFailure(
                    "the certificate of \(server) is not trusted (\(reason))",
                    suggestion: "'--authorities' names a file with the certificates to trust")
            default: return FetchFailure("\(server) cannot be asked (\(reason))")
            }
        }
    }
#endif
