import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let support = DocumentCheck(
        .refusal, "RefuseUnsupported",
        [
            .ignoredDirective, .refusedDirective, .undeclaredDirective, .unsupportedDirective, .unsupportedField,
        ],
        .written { RefuseUnsupported.check($0.program) })
}

/// Reports features of documents that the compiler does not support, so that no feature is ignored without a message.
/// Also reports directives that are sent although the server may not know them.
///
/// `KnownDirectives` lists the refused directives. Validation accepts them, because it checks documents and does not
/// compile them.
struct RefuseUnsupported: ProgramVisitor {
    private let schema: Schema
    private var diagnostics: [Diagnostic] = []

    /// A diagnostic for each unsupported feature, in document order.
    static func check(_ program: Program) -> [Diagnostic] {
        var check = RefuseUnsupported(schema: program.schema)
        check.walk(program)
        return check.diagnostics
    }

    private init(schema: Schema) {
        self.schema = schema
    }

    /// Visits a fragment. The directives for its query count as directives on a query.
    mutating func visit(_ fragment: Fragment) {
        guard let directive = fragment.directives.named("refetchable") else { return }
        for (value, directives) in directive.ofRefetchQuery {
            for directive in directives ?? [] { visit(directive, at: value.span) }
        }
    }

    mutating func visit(_ field: TypedField) {
        let definition = field.definition
        if definition.directives.contains(where: { $0.name.text == "relay_resolver" }) {
            let message = "the field '\(definition.name)' is computed by a resolver, which is not supported yet"
            report(.unsupportedField, message, at: field.span, "compute it in Swift")
        }
        let type = schema.namedType(of: definition.type)
        if type.directives.named("__RelayResolverModel") != nil {
            let message = "'\(type.name)' is a model that resolvers make, which is not supported yet"
            report(.unsupportedField, message, at: field.span, "compute it in Swift")
        }
        for argument in field.arguments where !schema.declares("static") {
            let directives = definition.argument(named: argument.name.text)?.directives ?? []
            guard directives.named("static") != nil else { continue }
            refuse("static", KnownDirectives.fateInSchemas(of: "static"), at: argument.name.span)
        }
    }

    mutating func visit(_ directives: [Directive]) {
        for directive in directives { visit(directive, at: directive.name.span) }
    }

    private mutating func visit(_ directive: Directive, at span: Span) {
        let name = directive.name.text
        if Increment.directives.contains(name) { visitIncrement(directive) }
        switch schema.fate(of: name) {
        case .refused(let advice):
            report(.unsupportedDirective, "'@\(name)' is not supported yet", at: span, advice)
        case .refusedArguments(let arguments):
            for (argument, value, advice) in arguments {
                guard let given = directive.argument(argument) else { continue }
                if let value, case .boolean(let literal) = given, literal.isTrue != value { continue }
                let written = argument + (value.map { ": \($0)" } ?? "")
                let message = "'@\(name)(\(written))' is not supported yet"
                report(.unsupportedDirective, message, at: span, advice)
            }
        case .ignored(let reason, let advice): warn("'@\(name)' has no effect: \(reason)", at: span, advice)
        case .refusedForGood: refuse(name, schema.fate(of: name), at: span)
        case .carriedOut, .needsNothing, nil: break
        }
        if let ignored = KnownDirectives.ignoredArguments[name], let value = directive.argument(ignored.argument),
            case .boolean(let literal) = value, literal.isTrue
        {
            warn(
                "'\(ignored.argument)' of '@\(name)' has no effect: \(ignored.reason)",
                at: value.span == .none ? span : value.span, "leave it out")
        }
    }

    /// Warns of a directive that is sent although the server's schema does not declare the directive.
    private mutating func visitIncrement(_ directive: Directive) {
        let isConnection = directive.name.text == "stream_connection"
        // A connection that is not streamed has a deferred `pageInfo`.
        if directive.isSwitchedOff, !isConnection { return }
        let names = isConnection ? ["defer", "stream"] : [directive.name.text]
        for name in names where schema.directive(named: name)?.origin == .relay {
            let lacksLabel = schema.definitionDirectives[name] != nil
            let message =
                lacksLabel
                ? "the server's schema declares '@\(name)' without 'label', which is sent"
                : "the server's schema does not declare '@\(name)', which is sent"
            let suggestion =
                lacksLabel
                ? "add 'label: String' to its declaration if the server knows it"
                : "declare it in the schema if the server delivers parts; otherwise leave it out"
            diagnostics.append(
                Diagnostic(
                    .undeclaredDirective, severity: .warning, message, at: directive.name.span, suggestion: suggestion))
        }
    }

    private mutating func refuse(_ name: String, _ fate: DirectiveFate?, at span: Span) {
        guard case .refusedForGood(let reason, let advice)? = fate else { return }
        report(.refusedDirective, "'@\(name)' is refused: \(reason)", at: span, advice)
    }

    private mutating func warn(_ message: String, at span: Span, _ suggestion: String) {
        diagnostics.append(
            Diagnostic(.ignoredDirective, severity: .warning, message, at: span, suggestion: suggestion))
    }

    private mutating func report(_ id: DiagnosticID, _ message: String, at span: Span, _ suggestion: String?) {
        diagnostics.append(Diagnostic(id, message, at: span, suggestion: suggestion))
    }
}
