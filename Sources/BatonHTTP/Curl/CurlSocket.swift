import BatonCurl

/// The socket of one connection of a transport. Only the thread of the transport uses it.
final class CurlSocket {
    /// What a request may expect of a connection.
    enum State {
        /// The request may go out.
        case clear
        /// Something waits that is no answer to the request, or the connection is not to be used any more.
        case spent
        /// The server speaks before it was asked for the first time.
        case talking
    }

    let descriptor: Int32
    /// False once the library closes it; the number may then belong to another one.
    var isOpen = true
    /// When a response was heard last; nil before the first one.
    var lastWord: ContinuousClock.Instant?
    /// The number of requests that were to go over it, and that are on it.
    private(set) var requests = 0
    private var inFlight = 0
    /// Whether the last response came over HTTP/2; nil before the first one.
    private var isShared: Bool?
    private var isRetired = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// True if a response over HTTP/1 came before, so that one that nobody asked for may follow it.
    var isKept: Bool { isShared == false }

    /// Says whether a request may go out now, and ends the connection if not. Costs a call of the system.
    ///
    /// With TLS, what waits may be a ticket for a later session, which is no harm. It cannot be told from a response,
    /// so it costs the connection. Right after the first handshake tickets wait often, and nothing else can.
    ///
    /// - Parameter isPlain: True if the request goes out without TLS.
    func look(isPlain: Bool) -> State {
        requests += 1
        guard !isRetired else { return .spent }
        // Others' frames wait on a connection that is shared.
        guard isKept || requests == 1 && isPlain else { return .clear }
        let first = Int(baton_curl_socket_waiting(descriptor))
        if first == BATON_CURL_SILENCE { return .clear }
        // A new connection that ends at once is seen by the library. The first bytes of TLS are those of a proxy with
        // it.
        if !isKept, first == BATON_CURL_END || (20...23).contains(first) { return .clear }
        defer { retire() }
        return isKept ? .spent : .talking
    }

    /// Notes that a request goes out.
    func began() { inFlight += 1 }

    /// Notes the version of HTTP of a response.
    func heard(isHTTP2: Bool) { isShared = isHTTP2 }

    /// Notes that a request that went out is over.
    func ended() {
        inFlight -= 1
        if isRetired { shut() }
    }

    /// Notes that its only request is given up. If nothing was heard since that one began, no further one goes over it.
    /// While there are others, they tell whether it lives.
    func abandoned(since began: ContinuousClock.Instant) {
        if inFlight == 1, lastWord.map({ $0 < began }) ?? true { retire() }
    }

    /// Lets no further request go over it. The connection ends with its last request.
    func retire() {
        isRetired = true
        shut()
    }

    private func shut() {
        if inFlight == 0, isOpen { baton_curl_socket_shut(descriptor) }
    }
}

/// The sockets that the library has opened for a transport. Only the thread of the transport uses them.
///
/// Older libraries do not tell which one a request gets, so it is found by the addresses of its ends.
final class CurlSockets {
    private struct Ends: Hashable {
        let remote: String
        let remotePort: Int
        let localPort: Int
    }

    /// For the handles of transfers; it lasts as long as this object.
    let watch: UnsafePointer<BatonCurlWatch>
    private var byDescriptor: [Int32: CurlSocket] = [:]
    private var byEnds: [Ends: CurlSocket] = [:]
    /// Those that were not looked for yet.
    private var isUnknown: Set<Int32> = []

    init() {
        let watch = UnsafeMutablePointer<BatonCurlWatch>.allocate(capacity: 1)
        self.watch = UnsafePointer(watch)
        watch.initialize(to: BatonCurlWatch(news: nil, context: Unmanaged.passUnretained(self).toOpaque()))
        watch.pointee.news = { context, descriptor, isOpen in
            guard let context else { return }
            let sockets = Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue()
            if isOpen != 0 { sockets.add(descriptor) } else { sockets.remove(descriptor) }
        }
    }

    deinit { watch.deallocate() }

    private func add(_ descriptor: Int32) {
        byDescriptor[descriptor] = CurlSocket(descriptor)
        isUnknown.insert(descriptor)
    }

    private func remove(_ descriptor: Int32) {
        isUnknown.remove(descriptor)
        guard let socket = byDescriptor.removeValue(forKey: descriptor) else { return }
        socket.isOpen = false
        byEnds = byEnds.filter { $0.value !== socket }
    }

    /// The socket with these ends; nil if there is none over IP.
    func find(_ remote: String, _ remotePort: Int, _ localPort: Int) -> CurlSocket? {
        let wanted = Ends(remote: remote, remotePort: remotePort, localPort: localPort)
        if let known = byEnds[wanted] { return known }
        for descriptor in isUnknown {
            guard let ends = Self.ends(of: descriptor) else { continue }
            byEnds[ends] = byDescriptor[descriptor]
            isUnknown.remove(descriptor)
        }
        return byEnds[wanted]
    }

    private static func ends(of descriptor: Int32) -> Ends? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { remote in
            var (remotePort, localPort) = (Int32(0), Int32(0))
            guard let text = remote.baseAddress,
                baton_curl_socket_ends(descriptor, text, remote.count, &remotePort, &localPort) != 0
            else { return nil }
            return Ends(remote: String(cString: text), remotePort: Int(remotePort), localPort: Int(localPort))
        }
    }
}
