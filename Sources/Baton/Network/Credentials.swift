/// The values of a request's credentials, which no error and no log may repeat. A server, or a proxy in between, may
/// write them into its response.
package struct Credentials: Sendable {
    /// The values, the longest first.
    private let values: [String]

    /// Header fields that are no secret, and whose values are too common to be struck out.
    private static let known: Set<String> = [
        "accept", "accept-encoding", "accept-language", "apollo-require-preflight", "apollographql-client-name",
        "apollographql-client-version", "cache-control", "content-type", "graphql-client-name",
        "graphql-client-version", "graphql-preflight", "idempotency-key", "if-modified-since", "if-none-match",
        "origin", "referer",
        "traceparent", "tracestate", "user-agent",
    ]
    /// The length below which a value is not struck, because shorter values occur in any text by chance.
    private static let shortest = 6

    /// Collects the values of all fields that may be secret, and the parts of these values: a token without its scheme,
    /// and each value of a cookie.
    package init(of fields: some Sequence<(key: String, value: String)>) {
        var values: Set<String> = []
        for (name, value) in fields where !Self.known.contains(name.lowercased()) {
            values.insert(value)
            for part in value.split(whereSeparator: { " ;,".contains($0) }) {
                values.insert(String(part))
                if let equals = part.firstIndex(of: "=") { values.insert(String(part[part.index(after: equals)...])) }
            }
        }
        self.values = values.filter { $0.utf8.count >= Self.shortest }.sorted {
            ($1.utf8.count, $0) < ($0.utf8.count, $1)
        }
    }

    /// True if there is no value to strike.
    package var isEmpty: Bool { values.isEmpty }

    /// Returns the text with `***` for each value. The beginning of a value at the end of the text is struck too, since
    /// the text may have been cut there.
    package func struck(from text: String) -> String {
        var text = text
        for value in values where text.contains(value) {
            text = text.split(separator: value, omittingEmptySubsequences: false).joined(separator: "***")
        }
        for value in values {
            let beginnings = (Self.shortest..<max(value.utf8.count, Self.shortest)).reversed().lazy.compactMap {
                String(value.utf8.prefix($0))
            }
            if let end = beginnings.first(where: text.hasSuffix) { return text.dropLast(end.count) + "***" }
        }
        return text
    }
}
