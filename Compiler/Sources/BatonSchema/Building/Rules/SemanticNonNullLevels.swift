import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that `@semanticNonNull(levels:)` and `@semanticNonNullField` name existing fields and existing levels of
    /// lists. Violations are warnings: servers of real schemas write these directives, and a level that does not exist
    /// has no effect.
    ///
    /// Reference: https://relay.dev/docs/guides/semantic-nullability/
    mutating func checkSemanticNonNull(in schema: Schema) {
        for type in schema.types {
            for field in type.fields {
                guard let directive = field.directives.first(where: { $0.name.text == "semanticNonNull" }) else {
                    continue
                }
                checkLevels(of: directive, on: field, of: type)
            }
            for directive in type.directives where directive.name.text == "semanticNonNullField" {
                guard case .string(let name)? = directive.argument("name") else { continue }
                if let field = type.field(named: name.text) {
                    checkLevels(of: directive, on: field, of: type)
                } else {
                    reportLevel(
                        "'@semanticNonNullField' has no effect: '\(type.name)' has no field '\(name.text)'",
                        at: name.span, Spelling.question(for: name.text, among: type.fields.map(\.name)))
                }
            }
        }
    }

    private mutating func checkLevels(of directive: Directive, on field: SchemaField, of type: SchemaType) {
        guard case .list(let levels)? = directive.argument("levels") else { return }
        let depth = field.type.listDepth
        for case .int(let level) in levels.values {
            if let number = Int(level.text), (0...depth).contains(number) { continue }
            let place = "'\(type.name).\(field.name)' has no level \(level.text)"
            let deepest = depth == 0 ? "it is no list" : "the items of its innermost list have level \(depth)"
            reportLevel("\(place), so that it has no effect", at: level.span, deepest)
        }
    }

    private mutating func reportLevel(_ message: String, at span: Span, _ suggestion: String?) {
        report(.semanticLevel, severity: .warning, message, at: span, suggestion: suggestion)
    }
}
