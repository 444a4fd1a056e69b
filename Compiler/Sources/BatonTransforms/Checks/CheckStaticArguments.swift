import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let staticArguments = DocumentCheck(
        .mistake, "CheckStaticArguments", [.staticArgument], .written { CheckStaticArguments.check($0.program) })
}

/// Checks that arguments that the compiler itself reads are literals.
///
/// These are arguments of Relay's directives, and arguments whose definition has `@static`.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/
struct CheckStaticArguments: ProgramVisitor {
    private let schema: Schema
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckStaticArguments(schema: program.schema)
        check.walk(program)
        return check.diagnostics
    }

    private init(schema: Schema) {
        self.schema = schema
    }

    /// The arguments that the compiler reads, by directive, except for arguments with another check.
    private static let read: [String: Set<String>] = [
        "catch": ["to"],
        "connection": ["prefetchable_pagination"],
        "no_inline": ["raw_response_type"],
        "preloadable": ["hackPreloader"],
        "refetchable": ["preferFetchable"],
        "relay": ["mask", "plural"],
        "relay_test_operation": ["DO_NOT_USE_use_in_production", "emitRawText"],
        "required": ["action"],
        "stream_connection": ["prefetchable_pagination"],
    ]

    mutating func visit(_ directives: [Directive]) {
        for directive in directives where !directive.arguments.isEmpty {
            let name = directive.name.text
            let definition = schema.directive(named: name)
            for argument in directive.arguments where argument.value.hasVariables {
                let declared = definition?.argument(named: argument.name.text)?.directives.named("static") != nil
                guard declared || Self.read[name]?.contains(argument.name.text) == true else { continue }
                diagnostics.append(
                    Diagnostic(
                        .staticArgument,
                        "'\(argument.name.text)' of '@\(name)' must be a literal, because the compiler reads it",
                        at: argument.value.span))
            }
        }
    }
}
