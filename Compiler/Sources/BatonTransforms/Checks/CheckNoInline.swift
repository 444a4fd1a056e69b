import BatonDiagnostics
import BatonIR
import BatonSyntax

extension DocumentCheck {
    static let noInline = DocumentCheck(
        .mistake, "CheckNoInline", [.ignoredDirective, .invalidNoInline], .written { CheckNoInline.check($0.program) })
}

/// Checks that an operation with `@raw_response_type` reaches no fragment with `@no_inline` that lacks such a type.
///
/// Relay keeps a fragment with `@no_inline` separate, and generates the type of its raw response on request only. Here
/// the directive has no other effect. Its argument has no effect, with a warning, if no operation with
/// `@raw_response_type` contains the fragment.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#raw_response_type
enum CheckNoInline {
    static func check(_ program: Program) -> [Diagnostic] {
        let operations = program.operations.filter { $0.directives.named("raw_response_type") != nil }
        return program.fragments.compactMap { fragment in
            guard let directive = fragment.directives.named("no_inline") else { return nil }
            let operation = operations.first { reaches(fragment.name, $0, program) }
            if let value = directive.argument("raw_response_type"), directive.hasRawResponse {
                if operation != nil { return nil }
                let message =
                    "'raw_response_type' of '@no_inline' has no effect: no operation with '@raw_response_type' contains '\(fragment.name)'"
                return Diagnostic(
                    .ignoredDirective, severity: .warning, message, at: value.span, suggestion: "leave it out")
            }
            guard let operation else { return nil }
            return Diagnostic(
                .invalidNoInline,
                "'\(operation.name)' has '@raw_response_type' and contains '\(fragment.name)', whose '@no_inline' leaves the raw response out",
                at: directive.name.span, notes: [.init("the operation is here", at: operation.span)],
                suggestion: "write '@no_inline(raw_response_type: true)'")
        }
    }

    private static func reaches(_ name: String, _ operation: Operation, _ program: Program) -> Bool {
        var seen: Set<String> = []
        var pending = TypedSelection.spreads(in: operation.selections).map(\.fragment)
        while let next = pending.popLast() {
            if next == name { return true }
            guard seen.insert(next).inserted, let fragment = program.fragment(named: next) else { continue }
            pending += TypedSelection.spreads(in: fragment.selections).map(\.fragment)
        }
        return false
    }
}

extension Directive {
    /// Whether `raw_response_type: true` is among the arguments.
    fileprivate var hasRawResponse: Bool {
        if case .boolean(let value)? = argument("raw_response_type") { value.isTrue } else { false }
    }
}
