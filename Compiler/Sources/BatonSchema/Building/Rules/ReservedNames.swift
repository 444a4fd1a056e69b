import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that a name does not begin with two underscores, which the specification reserves for introspection.
    ///
    /// Real schemas have such names, so that the error may be lowered. The error stays if clients give the name another
    /// meaning than the schema does.
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

    /// Whether clients give the name a meaning of their own: fields that every client knows, and response keys that the
    /// compiler adds to requests.
    private static func hasMeaning(_ name: String, _ role: String) -> Bool {
        switch role {
        case "field": ["__typename", "__id", "__schema", "__type"].contains(name) || name.hasPrefix("__is")
        default: false
        }
    }
}
