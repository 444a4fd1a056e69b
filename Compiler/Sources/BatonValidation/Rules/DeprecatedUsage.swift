import BatonDiagnostics

extension Traversal {
    /// What the schema deprecates is better not used: fields, arguments, input fields and enum values. A warning, since
    /// servers keep answering.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Field-Deprecation
    func reportDeprecated(_ element: DeprecatedElement) {
        // Reasons are written as text of several lines, with a period; a message is neither.
        var words = element.reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if words.hasSuffix("."), !words.hasSuffix("..") { words.removeLast() }
        let why = words.isEmpty ? "" : ": \(words)"
        report(.deprecated, severity: .warning, "\(element.description) is deprecated\(why)", at: element.span)
    }
}
