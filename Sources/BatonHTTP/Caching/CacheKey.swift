import Baton
import BatonText

/// The properties of a request that are equal for all requests that one response serves. `Vary` may name further
/// headers.
struct CacheKey: Sendable, Hashable {
    let operationName: String
    private let documentID: String?
    private let text: String?
    private let variables: String
    private let partition: String?
    /// The values of the request's context that may affect the response. Steps behind the cache may turn them into
    /// headers.
    private let context: RequestContext
    /// The headers of the request that may affect the response, by their names in lower case. The headers may be
    /// secrets, so that no description shows them.
    private var headers: [String: String]

    /// Headers that do not change the response. Most of them trace a request, and differ from one request to the next.
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
        context = request.configuration.context.affectingResponse
        headers = [:]
        // Of two spellings of a name, the last one is sent.
        for (name, value) in request.configuration.headers.sorted(by: { $0.key < $1.key }) {
            let name = name.lowercased()
            if !Self.headersWithoutEffect.contains(name) { headers[name] = value }
        }
    }

    /// Whether responses do not depend on a header unless `Vary` names it.
    ///
    /// - Parameter header: The name in lower case.
    static func ignores(_ header: String) -> Bool { headersWithoutEffect.contains(header) }

    /// True if a response that is the same for everybody has another key than this one.
    var hasHeaders: Bool { !headers.isEmpty }

    /// The key of a response that is the same for everybody.
    var shared: CacheKey {
        var key = self
        key.headers = [:]
        return key
    }

    /// A digest of the key that is the same in every process, in hexadecimal digits.
    ///
    /// Nil if the key has a partition, or a context: values of a context have no text.
    var digest: String? {
        guard partition == nil, context == RequestContext() else { return nil }
        var parts = [operationName, documentID, text, variables]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { parts += [name, value] }
        // Each part has its length in front of it, so that no two keys have the same text.
        return SHA256.hexadecimal(of: parts.map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined())
    }

    /// The approximate memory of the key, in bytes. The text of a document is not counted: the operation owns it.
    var cost: Int {
        headers.reduce(128 + variables.utf8.count + (partition?.utf8.count ?? 0)) {
            $0 + 64 + $1.key.utf8.count + $1.value.utf8.count
        }
    }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    var description: String { "a response to \(operationName)" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
