import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Names that begin with two underscores belong to introspection.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Names.Reserved-Names
    mutating func checkIsNotReserved(_ name: Name, _ role: String) {
        guard name.text.utf8.starts(with: [0x5F, 0x5F]), name.span.source != .predeclared else { return }
        let sign = role == "directive" ? "@" : ""
        report(
            .reservedName,
            "the name of \(role) '\(sign)\(name.text)' begins with two underscores, which only introspection uses",
            at: name.span
        )
    }
}
