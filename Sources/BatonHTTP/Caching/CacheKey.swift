import Baton

/// What must be equal for one answer to serve two requests; `Vary` may ask for more.
struct CacheKey: Sendable, Hashable {
    let operationName: String
    private let documentID: String?
    private let text: String?
    private let variables: String
    private let partition: String?
    /// What the caller said that the answer may depend on. Steps behind the cache may make headers of it.
    private let context: RequestContext
    /// The header `Authorization`; a secret, which no description shows.
    private(set) var credential: String?

    init(_ request: NetworkRequest, partition: String?) {
        operationName = request.operationName
        documentID = request.documentID
        text = request.text
        variables = JSONValue.object(request.variables).canonicalText
        self.partition = partition
        context = request.configuration.context.affectingAnswer
        credential = request.header("authorization")
    }

    /// The key under which answers are kept that are the same for everybody.
    var shared: CacheKey {
        var key = self
        key.credential = nil
        return key
    }

    /// The memory of the key, about. The text of a document is shared with the operation.
    var cost: Int { 128 + variables.utf8.count + (credential?.utf8.count ?? 0) + (partition?.utf8.count ?? 0) }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    var description: String { "an answer to \(operationName)" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
