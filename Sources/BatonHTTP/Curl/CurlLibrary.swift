import BatonCurl

/// The functions of libcurl in the words of Swift; nothing else calls the C target.
///
/// `Easy` and `Multi` belong to one thread. Only `Waker` may be used on others.
enum CurlLibrary {
    /// Opens the library at the first call.
    ///
    /// - Throws: ``HTTPError/unavailable(reason:)`` if it is missing or cannot be used.
    static func load() throws(HTTPError) {
        let status = Int(baton_curl_load())
        guard status != BATON_CURL_LOADED else { return }
        throw unavailable(status, version: baton_curl_version().map { String(cString: $0) })
    }

    /// The error for a library that could not be loaded.
    static func unavailable(_ status: Int, version: String?) -> HTTPError {
        let library = "'libcurl.so.4'" + (version.map { " (\($0))" } ?? "")
        return switch status {
        case BATON_CURL_MISSING: .unavailable(reason: "there is no 'libcurl.so.4' on this system")
        case BATON_CURL_STATIC: .unavailable(reason: "a fully static program cannot open 'libcurl.so.4'")
        case BATON_CURL_TOO_OLD: .unavailable(reason: "\(library) is too old: 7.68 or newer is needed")
        case BATON_CURL_WITHOUT_RESOLVER:
            .unavailable(
                reason:
                    "\(library) is built without a resolver of its own (c-ares or threads), so that each look-up of a "
                    + "name would stop all requests")
        default: .unavailable(reason: "\(library) could not be initialized")
        }
    }

    /// The version that is loaded.
    static var version: String { baton_curl_version().map { String(cString: $0) } ?? "an unknown version" }

    /// Whether the library asks before each request (7.80).
    static var hasGate: Bool { baton_curl_version_number() >= 0x07_5000 }

    /// Whether it speaks HTTP/2.
    static var hasHTTP2: Bool { Int(baton_curl_features()) & BATON_CURL_HTTP2 != 0 }

    /// One transfer.
    final class Easy {
        let handle: OpaquePointer
        private var list: OpaquePointer?
        private let message = UnsafeMutablePointer<CChar>.allocate(capacity: BATON_CURL_ERROR_SIZE)
        /// The first code that an option was refused with.
        private(set) var refusal: Int32?

        /// Makes a handle that reports what goes wrong, sends no signals and does not wind bodies back.
        ///
        /// - Parameter watch: Is told of the sockets; it must outlive the connections.
        init?(_ watch: UnsafePointer<BatonCurlWatch>? = nil) {
            guard let handle = baton_curl_easy_init() else { return nil }
            self.handle = handle
            message.initialize(repeating: 0, count: BATON_CURL_ERROR_SIZE)
            note(baton_curl_set_context(handle, option(BATON_CURLOPT_ERRORBUFFER), message))
            note(baton_curl_set_guards(handle, watch))
            set(BATON_CURLOPT_NOSIGNAL, 1)
            set(BATON_CURLOPT_PROTOCOLS, BATON_CURL_PROTOCOLS_HTTP_AND_HTTPS)
        }

        deinit {
            baton_curl_easy_cleanup(handle)
            if let list { baton_curl_slist_free_all(list) }
            message.deallocate()
        }

        func set(_ name: Int, _ value: Int) { note(baton_curl_set_long(handle, option(name), value)) }

        func setOffset(_ name: Int, _ value: Int) {
            note(baton_curl_set_offset(handle, option(name), Int64(value)))
        }

        /// The library keeps a copy.
        func set(_ name: Int, _ value: String) { note(baton_curl_set_string(handle, option(name), value)) }

        func setContext(_ name: Int, _ value: UnsafeMutableRawPointer) {
            note(baton_curl_set_context(handle, option(name), value))
        }

        func set(_ name: Int, _ function: @escaping BatonCurlTransfer) {
            note(baton_curl_set_transfer(handle, option(name), function))
        }

        func setGate(_ function: @escaping BatonCurlGate) {
            note(baton_curl_set_gate(handle, option(BATON_CURLOPT_PREREQFUNCTION), function))
        }

        /// Sets the lines of the head, once.
        func setHead(_ lines: [String]) {
            for line in lines {
                guard let longer = baton_curl_slist_append(list, line) else {
                    return note(Int32(BATON_CURLE_OUT_OF_MEMORY))
                }
                list = longer
            }
            note(baton_curl_set_list(handle, option(BATON_CURLOPT_HTTPHEADER), list))
        }

        /// What the library says about a code that a transfer has ended with, without URLs.
        func text(_ code: Int32) -> String { String(cString: baton_curl_text(code, message)) }

        /// How a transfer has failed.
        func end(_ code: Int32, hasResponse: Bool) -> CurlEnd {
            func number(_ info: Int) -> Int { Int(baton_curl_long_info(handle, Int32(info))) }
            return CurlEnd(
                code: code, text: text(code), hasResponse: hasResponse,
                wasSent: number(BATON_CURL_INFO_REQUEST_SIZE) > 0,
                tunnelStatus: number(BATON_CURL_INFO_HTTP_CONNECTCODE),
                headBytes: number(BATON_CURL_INFO_HEADER_SIZE))
        }

        /// The number of bytes of the body that have come in.
        var receivedBytes: Int { Int(baton_curl_offset_info(handle, Int32(BATON_CURL_INFO_SIZE_DOWNLOAD))) }

        /// Goes on with both directions; bytes that were held back may be written at once. Returns the code of that.
        func goOn() -> Int32 { baton_curl_easy_pause(handle, Int32(BATON_CURL_CONTINUE)) }

        /// The socket of a connection that was only made.
        var socket: Int32 { baton_curl_socket(handle) }

        /// Sends what there is room for, and returns the number of bytes and the code.
        func send(_ bytes: UnsafeRawBufferPointer) -> (count: Int, code: Int32) {
            var count = 0
            let code = baton_curl_easy_send(handle, bytes.baseAddress, bytes.count, &count)
            return (count, code)
        }

        /// Receives what has arrived, and returns the number of bytes and the code. No bytes and no error is the end.
        func receive(_ bytes: UnsafeMutableRawBufferPointer) -> (count: Int, code: Int32) {
            var count = 0
            let code = baton_curl_easy_recv(handle, bytes.baseAddress, bytes.count, &count)
            return (count, code)
        }

        private func option(_ name: Int) -> Int32 { Int32(truncatingIfNeeded: name) }

        private func note(_ code: Int32) {
            if code != 0, refusal == nil { refusal = code }
        }
    }

    /// Transfers that run on one thread, and the connections that are kept for them.
    final class Multi {
        let waker: Waker

        init?() {
            guard let handle = baton_curl_multi_init() else { return nil }
            waker = Waker(handle)
        }

        /// Closes the connections. All transfers must have been removed, and no other thread may wake it any more.
        func close() { baton_curl_multi_cleanup(waker.handle) }

        func set(_ name: Int, _ value: Int) { _ = baton_curl_multi_set_long(waker.handle, Int32(name), value) }

        /// Adds a transfer; returns false if that fails.
        func add(_ easy: Easy) -> Bool { baton_curl_multi_add_handle(waker.handle, easy.handle) == 0 }

        func remove(_ easy: Easy) { _ = baton_curl_multi_remove_handle(waker.handle, easy.handle) }

        /// Does what can be done without waiting.
        func perform() {
            var running: Int32 = 0
            _ = baton_curl_multi_perform(waker.handle, &running)
        }

        /// The next transfer that has ended, and its code.
        func nextEnd() -> (handle: OpaquePointer, code: Int32)? {
            var code: Int32 = 0
            return baton_curl_multi_next_end(waker.handle, &code).map { ($0, code) }
        }

        /// Waits until something can be done, until it is woken, or until the time is over.
        func wait(_ milliseconds: Int32, socket: Int32 = -1, events: Int = 0) {
            _ = baton_curl_multi_poll(waker.handle, socket, Int16(events), milliseconds)
        }
    }

    /// Ends the wait of a `Multi` from any thread, as long as that is not closed.
    struct Waker: @unchecked Sendable {
        fileprivate let handle: OpaquePointer
        fileprivate init(_ handle: OpaquePointer) { self.handle = handle }
        func wake() { _ = baton_curl_multi_wakeup(handle) }
    }
}
