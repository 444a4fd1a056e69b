/// What a request is made of: the operation, and what its first caller says about it.
struct RequestCall: Sendable {
    let operation: BoundOperation
    /// The handle's query or fragment; nil for a caller without a handle.
    var component: String?
    /// An update that runs on top of the response, in the same publish.
    var updater: RequestExecution.Updater?
    /// The layer of the mutation's optimistic change.
    var layer: LayerID?
    var key: FetchKey?
    /// Nil for mutations and subscriptions.
    var policy: FetchPolicy?
    var configuration = RequestConfiguration()
    /// The query that was fetched before there was a handle; nil after the first call of the handle.
    var preloaded: (any Preloaded)?
    /// True if what was fetched before is not enough, whatever the key.
    var asksAgain = false
    /// True if the key differs from that of the caller's call before.
    var changesKey = false
    /// Called when the request is over.
    var whenOver: (@Sendable () -> Void)?

    /// The request for a network, without a way to report.
    func networkRequest(id: Int) -> NetworkRequest {
        let artifact = operation.artifact
        var variables: [JSONValue.Member] = []
        if case .object(let members) = operation.variables { variables = members }
        let idempotencyKey =
            artifact.kind == .mutation ? configuration.idempotencyKey ?? Self.randomKey() : nil
        return NetworkRequest(
            id: id, operationName: artifact.name, kind: artifact.kind, documentID: artifact.id, text: artifact.text,
            variables: variables, configuration: configuration, policy: policy, fetchKey: key?.description,
            idempotencyKey: idempotencyKey, isIncremental: operation.hasIncrements)
    }

    /// 128 random bits as hexadecimal digits.
    private static func randomKey() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
