import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Names that begin with two underscores belong to introspection.
    ///
    /// Real schemas have some all the same, so that it may be lowered; but not where the name has a meaning of its own
    /// for clients, which would be another thing than the schema's.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Names.Reserved-Names
    mutating func checkIsNotReserved(_ name: Name, _ role: String) {
        guard name.text.utf8.starts(with: [0x5F, 0x5F]), name.span.source != .predeclared else { return }
        let sign = role == "directive" ? "@" : ""
        report(
            .reservedName,
            "the name of \(role) '\(sign)\(name.text)' begins with two underscores, which only introspection uses",
            at: name.span,
            isLowerable: !Self.hasMeaning(name.text, role)
        )
    }

    /// Fields that every client means when it says so, and response keys that are put into the text that is sent.
    private static func hasMeaning(_ name: String, _ role: String) -> Bool {
        switch role {
        case "field": ["__typename", "__id", "__schema", "__type"].contains(name) || name.hasPrefix("__is")
        default: false
        }
    }
}
