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
    /// The headers of the request that the answer may depend on, by their names in lower case. They may be secrets,
    /// which no description shows.
    private var headers: [String: String]

    /// Headers that do not change the answer. Most of them trace a request and differ from one request to the next.
    private static let headersWithoutEffect: Set<String> = [
        "cache-control", "traceparent", "tracestate", "baggage", "request-id", "x-request-id", "x-correlation-id", "b3",
        "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags", "uber-trace-id",
        "sentry-trace", "x-amzn-trace-id", "x-cloud-trace-context", "x-datadog-trace-id", "x-datadog-parent-id",
        "x-datadog-sampling-priority",
    ]

    init(_ request: NetworkRequest, partition: String?) {
        operationName = request.operationName
        documentID = request.documentID
        text = request.text
        variables = JSONValue.object(request.variables).canonicalText
        self.partition = partition
        context = request.configuration.context.affectingAnswer
        headers = [:]
        // Of two spellings of a name the last one is sent.
        for (name, value) in request.configuration.headers.sorted(by: { $0.key < $1.key }) {
            let name = name.lowercased()
            if !Self.headersWithoutEffect.contains(name) { headers[name] = value }
        }
    }

    /// Whether no answer depends on the header, unless the server says so with `Vary`. The name is in lower case.
    static func ignores(_ header: String) -> Bool { headersWithoutEffect.contains(header) }

    /// True if answers that are the same for everybody are kept under another key.
    var hasHeaders: Bool { !headers.isEmpty }

    /// The key under which answers are kept that are the same for everybody.
    var shared: CacheKey {
        var key = self
        key.headers = [:]
        return key
    }

    /// The memory of the key, about. The text of a document is shared with the operation.
    var cost: Int {
        headers.reduce(128 + variables.utf8.count + (partition?.utf8.count ?? 0)) {
            $0 + 64 + $1.key.utf8.count + $1.value.utf8.count
        }
    }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    var description: String { "an answer to \(operationName)" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
