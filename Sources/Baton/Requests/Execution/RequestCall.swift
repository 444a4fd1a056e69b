/// The parts of a request: the operation, and the options of its first caller.
struct RequestCall: Sendable {
    let operation: BoundOperation
    /// The handle's query or fragment; nil for a caller without a handle.
    var component: String?
    /// An update that runs on top of the response, in the same publish.
    var updater: RequestExecution.Updater?
    /// The layer of the mutation's optimistic change.
    var layer: LayerID?
    var key: FetchKey?
    /// The policy of the caller; nil for mutations and subscriptions.
    var policy: FetchPolicy?
    var configuration = RequestConfiguration()
    /// The preload that the handle was made with; nil after the first call of the handle.
    var preloaded: (any Preloaded)?
    /// True if earlier fetches are not enough, whatever their keys.
    var asksAgain = false
    /// True if the key differs from the key of the caller's previous call.
    var changesKey = false
    /// True if the caller waits in a task that belongs to no actor, so that the request may begin on its thread.
    var beginsAtOnce = false
    /// Called when the request is over.
    var whenOver: (@Sendable () -> Void)?

    /// Returns the request for a network, without a closure for reports.
    func networkRequest(id: Int) -> NetworkRequest {
        let artifact = operation.artifact
        var variables: [JSONValue.Member] = []
        if case .object(let members) = operation.variables { variables = members }
        let idempotencyKey =
            artifact.kind == .mutation ? configuration.idempotencyKey ?? Self.randomKey() : nil
        let request = NetworkRequest(
            id: id, operationName: artifact.name, kind: artifact.kind, documentID: artifact.id, text: artifact.text,
            variables: variables, configuration: configuration, policy: policy, fetchKey: key?.description,
            idempotencyKey: idempotencyKey, isIncremental: operation.hasIncrements)
        // A test's network looks at what the operation selects.
        return RequestScope.isWatched ? request.with(artifact) : request
    }

    /// 128 random bits as hexadecimal digits.
    private static func randomKey() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// A preloaded query without its type.
protocol Preloaded: AnyObject, Sendable {
    /// Returns true if this is the operation, and its data has been fetched.
    func isFetched(_ operation: BoundOperation) -> Bool
    /// Passes the last event to a waiter that has found no request because the response lands at this moment. Returns
    /// false for another operation, and after the end of the preload.
    func follow(_ operation: BoundOperation, _ waiter: Waiter) -> Bool
}
