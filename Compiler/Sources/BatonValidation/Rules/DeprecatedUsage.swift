import BatonDiagnostics

extension ValidationRule {
    static let deprecatedUsage = ValidationRule(
        .deprecation, "DeprecatedUsage",
        .deprecated { $0.reportDeprecated($1) })
}

extension Traversal {
    /// Reports uses of deprecated fields, arguments, input fields and enum values. They are warnings, because servers
    /// still accept them.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Field-Deprecation
    func reportDeprecated(_ element: DeprecatedElement) {
        // Reasons may have several lines and a final period; messages have neither.
        var words = element.reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if words.hasSuffix("."), !words.hasSuffix("..") { words.removeLast() }
        let why = words.isEmpty ? "" : ": \(words)"
        report(.deprecated, severity: .warning, "\(element.description) is deprecated\(why)", at: element.span)
    }
}
