import BatonDiagnostics

extension Traversal {
    /// What the schema deprecates is better not used: fields, arguments, input fields and enum values. A warning, since
    /// servers keep answering.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Field-Deprecation
    func reportDeprecated(_ what: String, _ reason: String, at span: Span) {
        // Reasons are written as text of several lines, with a period; a message is neither.
        var words = reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if words.hasSuffix("."), !words.hasSuffix("..") { words.removeLast() }
        let why = words.isEmpty ? "" : ": \(words)"
        report(.deprecated, severity: .warning, "\(what) is deprecated\(why)", at: span)
    }
}
