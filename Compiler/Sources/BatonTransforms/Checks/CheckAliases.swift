import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let aliases = DocumentCheck(
        .mistake, "CheckAliases", [.invalidAlias],
        .written { CheckAliases.check($0.program) },
        .plan { plan, _ in plan.aliasConflicts.map(CheckAliases.conflict(at:)) })
}

/// Checks the names that `@alias(as:)` gives to references and to inline fragments.
///
/// - A name is valid in GraphQL and does not begin with two underscores.
/// - An inline fragment without a type has no name unless the directive gives one.
/// - No two selections of one set have the same name. `Flatten` finds equal names of selections that are written in
///   different sets, and fields with the name.
/// - A spread in a list has no alias if its fragment is for lists: a reader takes the references of the whole list.
///
/// Reference: https://relay.dev/docs/guides/alias-directive/
struct CheckAliases {
    private let program: Program
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckAliases(program: program)
        for operation in program.operations { check.visit(operation.selections, isList: false) }
        for fragment in program.fragments {
            check.visit(fragment.selections, isList: false)
            var unused: Set<String> = []
            if let directive = fragment.directives.named("alias") {
                check.visit(directive, default: fragment.name, &unused, "fragment")
            }
        }
        return check.diagnostics
    }

    private init(program: Program) {
        self.program = program
    }

    /// Visits a set; `isList` is true if its objects are the items of a list. The parser's nesting limit bounds the
    /// recursion.
    private mutating func visit(_ selections: [TypedSelection], isList: Bool) {
        var seen: Set<String> = []
        for selection in selections {
            switch selection {
            case .field(let field): visit(field.selections, isList: field.definition.type.isList)
            case .inlineFragment(let inline):
                if let directive = inline.directives.named("alias") {
                    visit(directive, default: inline.type?.name, &seen, "inline fragment")
                    if inline.alias == nil {
                        diagnostics.append(
                            Diagnostic(
                                .invalidAlias, "an inline fragment without a type has no name of its own",
                                at: directive.name.span, suggestion: "write '@alias(as: \"name\")'"))
                    }
                }
                visit(inline.selections, isList: isList)
            case .spread(let spread):
                guard let directive = spread.directives.named("alias") else { continue }
                visit(directive, default: nil, &seen, "spread")
                if isList, let fragment = program.fragment(named: spread.fragment), fragment.isPlural {
                    report(
                        "'\(spread.fragment)' has '@relay(plural: true)', so its references in a list have no alias",
                        at: directive.name.span)
                }
            }
        }
    }

    private mutating func visit(
        _ directive: Directive, default name: String?, _ seen: inout Set<String>, _ what: String
    ) {
        var (own, span) = (name, directive.name.span)
        if let value = directive.argument("as"), !value.isNull {
            span = value.span
            guard case .string(let text) = value, Self.isName(text.text) else {
                return report("an alias is a name, as a string, that does not begin with '__'", at: span)
            }
            own = text.text
        }
        if let own, !seen.insert(own).inserted {
            report("another \(what) of the set has the alias '\(own)'", at: span)
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first), !text.hasPrefix("__") else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
    }

    /// The mistake of a selection whose alias is also that of another selection in the set.
    fileprivate static func conflict(at span: Span) -> Diagnostic {
        let message = "the set has another selection with the name of this alias"
        return Diagnostic(.invalidAlias, message, at: span, suggestion: "choose another alias")
    }

    private mutating func report(_ message: String, at span: Span) {
        let diagnostic = Diagnostic(.invalidAlias, message, at: span)
        // The alias of a fragment is visited at each of its spreads.
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
}
