import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let nullArguments = DocumentCheck(
        .mistake, "CheckNullArguments", [.nullArgument, .nullCondition],
        .written { CheckNullArguments.check($0.program) },
        .copied { $0.emptyConditions.map(CheckNullArguments.mistake(of:)) })
}

/// Reports conditions that are null, and the literal nulls that `SkipNullArguments` and `ApplyFragmentArguments` leave
/// out, as Relay does.
///
/// For a server, null and a missing argument differ: `rename(name: null)` may clear the name, and `rename` changes
/// nothing. A variable with the value null is sent, so that each message proposes a variable.
///
///     rename(name: null, input: {name: $name, note: null}) { ...Name @arguments(style: null) }
///
/// is sent without all three nulls. The nulls in lists are sent, and so are those in objects without a variable.
struct CheckNullArguments {
    private let program: Program
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckNullArguments(program: program)
        for operation in program.operations where !operation.isUpdatable { check.visit(operation.selections) }
        for fragment in program.fragments where !fragment.isUpdatable {
            for argument in fragment.arguments { check.visit(argument) }
            check.visit(fragment.selections)
        }
        return check.diagnostics
    }

    private init(program: Program) {
        self.program = program
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: [TypedSelection]) {
        for selection in selections {
            switch selection {
            case .field(let field):
                // Fields of the client are not sent.
                if !field.definition.isClientOnly {
                    visit(field.arguments) { field.definition.argument(named: $0)?.type }
                }
                visit(field.directives)
                visit(field.selections)
            case .inlineFragment(let inline):
                visit(inline.directives)
                visit(inline.selections)
            case .spread(let spread):
                visit(spread.directives)
                visitPassed(spread)
            }
        }
    }

    /// Visits the directives that are sent.
    private mutating func visit(_ directives: [Directive]) {
        for directive in directives {
            guard let definition = program.schema.directive(named: directive.name.text), definition.origin == .schema
            else { continue }
            visit(directive.arguments) { definition.argument(named: $0)?.type }
        }
    }

    private mutating func visit(_ arguments: [Argument], type: (String) -> TypeReference?) {
        for argument in arguments {
            let type = type(argument.name.text)
            if argument.value.isNull {
                reportLeftOut(argument.name.text, type, at: argument.value.span)
            } else {
                visit(argument.value, type)
            }
        }
    }

    /// Reports the nulls inside a value. The parser's nesting limit bounds the recursion.
    private mutating func visit(_ value: Value, _ type: TypeReference?) {
        guard value.hasVariables else { return }
        switch value {
        case .list(let list):
            // A single value in place of a list has the type of the items.
            for item in list.values { visit(item, type.map { $0.item ?? $0 }) }
        case .object(let object):
            for field in object.fields {
                let fieldType = type.flatMap { program.schema[$0.named].inputField(named: field.name.text)?.type }
                if field.value.isNull {
                    reportLeftOut(field.name.text, fieldType, at: field.value.span)
                } else {
                    visit(field.value, fieldType)
                }
            }
        case .variable, .int, .float, .string, .boolean, .null, .enum: break
        }
    }

    private mutating func reportLeftOut(_ name: String, _ type: TypeReference?, at span: Span) {
        let message = "'\(name)' is left out of what is sent, because its value is a literal null"
        report(message, name, type, "write", at: span)
    }

    private mutating func visitPassed(_ spread: TypedSpread) {
        let declared = program.fragment(named: spread.fragment)?.arguments ?? []
        for argument in spread.arguments {
            let name = argument.name.text
            let definition = declared.first { $0.name == name }
            guard argument.value.isNull else {
                visit(argument.value, definition?.type)
                continue
            }
            let isDefault = definition?.defaultValue.map { !$0.isNull } ?? false
            let effect = isDefault ? "has its default value" : "counts as not passed"
            report(
                "'\(name)' \(effect), because its value is a literal null", name, definition?.type, "pass",
                at: argument.value.span)
        }
    }

    /// A default value of null means the same as no default value.
    private mutating func visit(_ argument: FragmentArgument) {
        guard let value = argument.defaultValue, value.isNull else { return }
        diagnostics.append(
            Diagnostic(
                .nullArgument, severity: .warning,
                "'\(argument.name)' is left out of what is sent where nothing is passed, although its default is null",
                at: value.span, suggestion: "leave out the default; a variable that is passed can be null"))
    }

    /// The mistake of a condition that is null in a copy of its fragment.
    fileprivate static func mistake(of condition: ApplyFragmentArguments.EmptyCondition) -> Diagnostic {
        Diagnostic(
            .nullCondition,
            "'@\(condition.directive)' gets null, because nothing is passed for '$\(condition.variable)'",
            at: condition.span, suggestion: "give the argument a default value")
    }

    private mutating func report(
        _ message: String, _ name: String, _ type: TypeReference?, _ verb: String, at span: Span
    ) {
        let typeText = type.map { program.schema.describe($0.nullable) } ?? "..."
        diagnostics.append(
            Diagnostic(
                .nullArgument, severity: .warning, message, at: span,
                suggestion:
                    "a variable can be null: declare '$\(name): \(typeText) = null' and \(verb) '\(name): $\(name)'"))
    }
}
