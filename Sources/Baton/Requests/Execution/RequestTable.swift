/// The requests in flight: all of them, and those that can be shared, by operation and variables.
///
/// State: `requests` and the shared tables, each guarded by a lock of its own, leaves.
final class RequestTable: Sendable {
    /// The tables that an environment shares with the environments that fetch aside.
    private final class Shared: Sendable {
        fileprivate let lastNumber: Guarded<Int>
        fileprivate let running = Guarded<[ObjectIdentifier: RequestExecution]>([:])
        fileprivate let recorders = Guarded<[ObjectIdentifier: RequestRecorder]>([:])

        fileprivate init(after number: Int) { lastNumber = Guarded(number) }
    }

    /// The parts of the environment that the requests use.
    let services: RequestServices
    private let requests = Guarded<[ObjectIdentifier: RequestExecution]>([:])
    private let shared: Shared

    /// Makes an empty table whose first request has the next number.
    init(_ services: RequestServices, after number: Int = 0) {
        self.services = services
        shared = Shared(after: number)
    }

    /// Makes an empty table that shares its numbers and the list of all requests with another table.
    init(_ services: RequestServices, aside other: RequestTable) {
        self.services = services
        shared = other.shared
    }

    /// Makes a caller wait for a request in flight for the same operation or for a new request, or gives it data that
    /// was fetched before. `RequestSharing` decides. Only this method begins or shares requests.
    ///
    /// Returns the request that the waiter waits for; nil if it waits for none.
    @discardableResult
    func joinOrStart(_ call: RequestCall, for waiter: Waiter) -> RequestExecution? {
        let sharing = RequestSharing(call: call, services: services)
        if sharing.isAlone { return startAlone(call, for: waiter) }
        if let payload = sharing.unsentPayload() {
            waiter.receive(.landed(payload))
            return nil
        }
        // Another thread may register or end a request meanwhile. Then the decision is made again.
        while !waiter.isOver {
            let current = self[call.operation]
            if let current, sharing.mayShare(current) {
                switch current.join(waiter, for: call) {
                case .waiting: return current
                case .waiterIsOver: return nil
                case .requestIsOver:
                    // The request has ended meanwhile, and its response may serve the caller.
                    if self[call.operation] !== current { continue }
                }
            }
            if sharing.mayBeInFile, waitForFile(call, for: waiter) { return nil }
            if current == nil {
                if let payload = sharing.payloadUnderKey() {
                    waiter.receive(.landed(payload))
                    return nil
                }
                if sharing.followsPreload(waiter) { return nil }
                if let payload = sharing.preloadedPayload() {
                    waiter.receive(.landed(payload))
                    return nil
                }
            }
            let request = RequestExecution(call, in: self)
            guard case .waiting = request.add(waiter, key: call.key) else { return nil }
            guard replace(current, with: request) else { continue }
            noteAsked(request, by: call)
            request.start()
            return request
        }
        return nil
    }

    /// Makes a caller wait for the end of a suspension, if the file may have what the caller lacks. Then the file
    /// decides whether a request is sent. Returns false if there is nothing to wait for.
    private func waitForFile(_ call: RequestCall, for waiter: Waiter) -> Bool {
        let (operation, store) = (call.operation, services.store)
        guard store.needsSuspendedFile(operation.plans.write, at: operation.root) else { return false }
        waiter.hold(call)
        store.whenFileIsOpen(waiter) { [weak self, weak waiter] in
            guard let self, let waiter, let call = waiter.takeHeld() else { return }
            let sharing = RequestSharing(call: call, services: services)
            if let payload = sharing.payloadOfFile() {
                waiter.receive(.landed(payload))
                guard payload.hasNext else { return }
            }
            joinOrStart(call, for: waiter)
        }
        return true
    }

    private func startAlone(_ call: RequestCall, for waiter: Waiter) -> RequestExecution? {
        let request = RequestExecution(call, in: self)
        guard case .waiting = request.add(waiter, key: call.key) else { return nil }
        request.start()
        return request
    }

    /// Replaces a request, or none, by a new request. Returns false if another request was registered meanwhile.
    private func replace(_ old: RequestExecution?, with new: RequestExecution) -> Bool {
        let key = ObjectIdentifier(new.operation)
        return requests.withLock { requests in
            guard requests[key] === old else { return false }
            requests[key] = new
            return true
        }
    }

    // MARK: - Requests in flight

    /// The newest request in flight for an operation, if it can be shared.
    subscript(operation: BoundOperation) -> RequestExecution? {
        requests.withLock { $0[ObjectIdentifier(operation)] }
    }

    /// The requests that have begun and not ended, in no order.
    var all: [RequestExecution] { shared.running.withLock { Array($0.values) } }

    /// The number of the newest request.
    var lastID: Int { shared.lastNumber.withLock { $0 } }

    /// Returns a number for the next request.
    func nextID() -> Int {
        shared.lastNumber.withLock { last in
            last += 1
            return last
        }
    }

    /// Keeps a request from its start to its end.
    func begin(_ request: RequestExecution) {
        shared.running.withLock { $0[ObjectIdentifier(request)] = request }
    }

    /// Releases a request that has ended.
    func end(_ request: RequestExecution) {
        _ = shared.running.withLock { $0.removeValue(forKey: ObjectIdentifier(request)) }
    }

    /// Ends the sharing of a request. Does nothing if a newer request has replaced it.
    func remove(_ request: RequestExecution) {
        let key = ObjectIdentifier(request.operation)
        requests.withLock { requests in
            if requests[key] === request { requests[key] = nil }
        }
    }

    // MARK: - Recording

    /// Adds a recorder, which notes every request until `remove`.
    func add(_ recorder: RequestRecorder) {
        shared.recorders.withLock { $0[ObjectIdentifier(recorder)] = recorder }
    }

    func remove(_ recorder: RequestRecorder) {
        _ = shared.recorders.withLock { $0.removeValue(forKey: ObjectIdentifier(recorder)) }
    }

    /// Notes in the recorders that a caller has asked for a request or joined it.
    func noteAsked(_ request: RequestExecution, by call: RequestCall) {
        request.add(call.component ?? call.operation.artifact.name)
        let recorders = shared.recorders.withLock { $0.isEmpty ? [] : Array($0.values) }
        for recorder in recorders { recorder.note(request) }
    }
}
