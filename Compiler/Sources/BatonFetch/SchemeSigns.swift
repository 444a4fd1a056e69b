/// What tells that a server was asked with the wrong scheme.
///
/// The network of an application guesses by the same signs and gives the same advice (`SchemeGuess` of `BatonHTTP`,
/// which a tool does not depend on).
enum SchemeSigns {
    /// The messages of TLS libraries about bytes that are not TLS.
    private static let ofPlainHTTP = [
        "wrong version number", "wrong_version_number", "unexpected tls packet", "packet length too long",
        "http request", "http_request", "unknown protocol", "record overflow",
    ]
    /// The messages of servers with TLS about plain HTTP.
    private static let ofTLS = [
        "plain http request was sent to https port", "http request to an https server", "plain http to an ssl-enabled",
        "requires tls", "plain http to a tls",
    ]

    /// The failure of a connection that was asked for TLS; nil if its reason says something else.
    static func failure(ofTLS reason: String, _ address: ServerAddress) -> FetchFailure? {
        guard address.isSecure, has(reason, ofPlainHTTP) else { return nil }
        return FetchFailure(
            "\(server(address)) seems not to speak TLS at this port, and was asked with 'https' (\(reason))",
            suggestion: "use a URL with 'http', or with another port")
    }

    /// The failure of a server that wants TLS; nil if its answer says something else.
    static func failure(of answer: ServerAnswer, _ address: ServerAddress) -> FetchFailure? {
        guard !address.isSecure, (400..<500).contains(answer.status),
            has(String(decoding: answer.body.prefix(500), as: UTF8.self), ofTLS)
        else { return nil }
        return FetchFailure(
            "\(server(address)) seems not to speak plain HTTP at this port, and was asked with 'http' (it answers with "
                + "status \(answer.status) and asks for HTTPS)",
            suggestion: "use a URL with 'https', or with another port")
    }

    private static func server(_ address: ServerAddress) -> String { "'\(address.displayed)'" }

    private static func has(_ text: String, _ signs: [String]) -> Bool {
        let text = text.lowercased()
        return signs.contains { text.contains($0) }
    }
}
