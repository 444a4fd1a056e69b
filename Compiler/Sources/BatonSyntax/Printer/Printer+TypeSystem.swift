extension Printer {
    mutating func append(_ schema: SchemaDefinition) {
        append(description: schema.description)
        output += schema.isExtension ? "extend schema" : "schema"
        append(schema.directives)
        if schema.operationTypes.isEmpty { return }
        space()
        braces(schema.operationTypes) { printer, type in
            printer.separate()
            printer.output += type.kind.rawValue + (printer.isCompact ? ":" : ": ") + type.type.text
        }
    }

    mutating func append(_ type: TypeDefinition) {
        append(description: type.description)
        if type.isExtension { output += "extend " }
        output += "\(type.body.keyword) \(type.name.text)"
        switch type.body {
        case .object(let interfaces, _), .interface(let interfaces, _):
            if !interfaces.isEmpty {
                output += " implements "
                output += interfaces.map(\.text).joined(separator: isCompact ? "&" : " & ")
            }
        default: break
        }
        append(type.directives)
        switch type.body {
        case .scalar: break
        case .object(_, let fields), .interface(_, let fields): block(fields) { $0.append($1) }
        case .union(let members):
            if members.isEmpty { break }
            output += isCompact ? "=" : " = "
            output += members.map(\.text).joined(separator: isCompact ? "|" : " | ")
        case .enum(let values):
            block(values) { printer, value in
                printer.append(description: value.description)
                printer.separate()
                printer.output += value.name.text
                printer.append(value.directives)
            }
        case .inputObject(let fields): block(fields) { $0.append($1, isInline: false) }
        }
    }

    private mutating func block<Member>(_ members: [Member], _ member: (inout Printer, Member) -> Void) {
        if members.isEmpty { return }
        space()
        braces(members, member)
    }

    private mutating func append(_ field: FieldDefinition) {
        append(description: field.description)
        separate()
        output += field.name.text
        append(field.arguments)
        output += isCompact ? ":" : ": "
        output += Printer.print(field.type)
        append(field.directives)
    }

    /// Prints arguments on one line, or on a line each if an argument has a description.
    private mutating func append(_ arguments: [InputValueDefinition]) {
        if arguments.isEmpty { return }
        if isCompact || arguments.allSatisfy({ $0.description == nil }) {
            list("(", arguments, ")") { $0.append($1, isInline: true) }
            return
        }
        output += "("
        indentation += 1
        for argument in arguments {
            newLine()
            append(argument, isInline: false)
        }
        indentation -= 1
        newLine()
        output += ")"
    }

    private mutating func append(_ value: InputValueDefinition, isInline: Bool) {
        append(description: value.description)
        if !isInline { separate() }
        output += value.name.text + (isCompact ? ":" : ": ")
        output += Printer.print(value.type)
        append(default: value.defaultValue)
        append(value.directives)
    }

    mutating func append(_ directive: DirectiveDefinition) {
        append(description: directive.description)
        output += "\(directive.isExtension ? "extend " : "")directive @\(directive.name.text)"
        append(directive.arguments)
        append(directive.directives)
        if directive.isExtension { return }
        output += directive.isRepeatable ? " repeatable on " : " on "
        output += directive.locations.map(\.location.rawValue).joined(separator: isCompact ? "|" : " | ")
    }
}
