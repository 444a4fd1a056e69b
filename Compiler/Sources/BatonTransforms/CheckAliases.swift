import BatonDiagnostics
import BatonIR
import BatonSyntax

/// Checks the names that `@alias(as:)` gives to references.
///
/// A name is one of GraphQL and does not begin with two underscores. No two spreads of one selection set have the same.
///
/// Reference: https://relay.dev/docs/guides/alias-directive/
struct CheckAliases {
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckAliases()
        for operation in program.operations { check.visit(operation.selections) }
        for fragment in program.fragments { check.visit(fragment.selections) }
        return check.diagnostics
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: [TypedSelection]) {
        var seen: Set<String> = []
        for selection in selections {
            switch selection {
            case .field(let field): visit(field.selections)
            case .inlineFragment(let inline): visit(inline.selections)
            case .spread(let spread):
                guard let value = spread.directives.named("alias")?.argument("as"), !value.isNull else { continue }
                guard case .string(let name) = value, Self.isName(name.text) else {
                    report("an alias is a name, as a string, that does not begin with '__'", at: value.span)
                    continue
                }
                if !seen.insert(name.text).inserted {
                    report("another spread of the set has the alias '\(name.text)'", at: value.span)
                }
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first), !text.hasPrefix("__") else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
    }

    private mutating func report(_ message: String, at span: Span) {
        diagnostics.append(Diagnostic(.invalidAlias, message, at: span))
    }
}
