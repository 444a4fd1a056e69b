import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// What arguments are given to.
enum ArgumentOwner {
    case field(Field, SchemaField)
    case directive(Directive)

    /// In the words of a message.
    var description: String {
        switch self {
        case .field(let field, _): "field '\(field.name.text)'"
        case .directive(let directive): "directive '@\(directive.name.text)'"
        }
    }

    var span: Span {
        switch self {
        case .field(let field, _): field.name.span
        case .directive(let directive): directive.name.span
        }
    }
}

extension Traversal {
    /// Asks the rules about all arguments of a field or directive.
    func checkArguments(_ arguments: [Argument], _ definitions: [SchemaInputValue], of owner: ArgumentOwner) {
        checkArgumentUniqueness(arguments)
        var excused: [String] = []
        for argument in arguments {
            let definition = checkArgumentName(argument, definitions, of: owner, excused: &excused)
            checkValue(argument.value, definition?.type, hasDefault: definition?.defaultValue != nil)
        }
        checkRequiredArguments(arguments, definitions, of: owner, excused: excused)
    }

    /// Visits arguments of something unknown for the sake of the variables in them.
    func checkUntyped(_ arguments: [Argument]) {
        for argument in arguments { checkValue(argument.value, nil) }
    }
}
