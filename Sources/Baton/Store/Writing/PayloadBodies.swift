/// The bodies of the payloads of a response that have arrived so far.
///
/// Values that continue each other share the bodies, so that an added body copies nothing.
struct PayloadBodies: Sendable {
    /// State: guarded by a lock of its own, a leaf.
    private final class Log: Sendable {
        private let bodies: Guarded<[[UInt8]]>

        init(_ bodies: [[UInt8]] = []) { self.bodies = Guarded(bodies) }

        func prefix(_ count: Int) -> [[UInt8]] { bodies.withLock { $0.count == count ? $0 : Array($0.prefix(count)) } }

        /// Adds a body after the first `count`; returns false if other bodies follow already.
        func add(_ body: [UInt8], behind count: Int) -> Bool {
            bodies.withLock { bodies in
                guard bodies.count == count else { return false }
                bodies.append(body)
                return true
            }
        }
    }

    private var log: Log
    private(set) var count: Int

    /// The bodies, in order.
    init(_ bodies: [[UInt8]] = []) {
        log = Log(bodies)
        count = bodies.count
    }

    /// The bodies, in order.
    var all: [[UInt8]] { log.prefix(count) }

    mutating func append(_ body: [UInt8]) {
        if !log.add(body, behind: count) { log = Log(log.prefix(count) + [body]) }
        count += 1
    }
}
