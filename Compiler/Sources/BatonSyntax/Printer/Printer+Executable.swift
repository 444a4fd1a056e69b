import BatonDiagnostics

extension Printer {
    mutating func append(_ operation: OperationDefinition) {
        append(description: operation.description)
        let isShorthand =
            operation.kind == .query && operation.name == nil && operation.variables.isEmpty
            && operation.directives.isEmpty && operation.description == nil && !isBehindType
        if !isShorthand {
            output += operation.kind.rawValue
            if let name = operation.name { output += " " + name.text }
            if !operation.variables.isEmpty { list("(", operation.variables, ")") { $0.append($1) } }
            append(operation.directives)
            space()
        }
        append(operation.selectionSet)
    }

    mutating func append(_ fragment: FragmentDefinition) {
        append(description: fragment.description)
        output += "fragment \(fragment.name.text) on \(fragment.typeCondition.text)"
        append(fragment.directives)
        space()
        append(fragment.selectionSet)
    }

    mutating func append(_ variable: VariableDefinition) {
        if let description = variable.description {
            append(quoted: description.text)
            space()
        }
        output += isCompact ? "$\(variable.name.text):" : "$\(variable.name.text): "
        output += Printer.print(variable.type)
        append(default: variable.defaultValue)
        append(variable.directives)
    }

    mutating func append(default value: Value?) {
        guard let value else { return }
        output += isCompact ? "=" : " = "
        append(value)
    }

    /// Prints a selection set. Pending selections are in an array, so that deep nesting costs no stack.
    mutating func append(_ selectionSet: SelectionSet) {
        var open: [ArraySlice<Selection>] = []
        begin(selectionSet, &open)
        while var rest = open.popLast() {
            guard let selection = rest.popFirst() else {
                indentation -= 1
                newLine()
                output += "}"
                continue
            }
            open.append(rest)
            newLine()
            if let selectionSet = appendHead(of: selection) {
                space()
                begin(selectionSet, &open)
            }
        }
    }

    private mutating func begin(_ selectionSet: SelectionSet, _ open: inout [ArraySlice<Selection>]) {
        output += "{"
        indentation += 1
        open.append(selectionSet.selections[...])
    }

    /// Prints a selection up to its selection set, and returns the set.
    private mutating func appendHead(of selection: Selection) -> SelectionSet? {
        switch selection {
        case .field(let field):
            separate()
            if let alias = field.alias { output += isCompact ? "\(alias.text):" : "\(alias.text): " }
            output += field.name.text
            append(field.arguments)
            append(field.directives)
            return field.selectionSet
        case .fragmentSpread(let spread):
            output += "...\(spread.name.text)"
            append(spread.directives)
            return nil
        case .inlineFragment(let fragment):
            output += "..."
            if let type = fragment.typeCondition { output += isCompact ? "on \(type.text)" : " on \(type.text)" }
            append(fragment.directives)
            return fragment.selectionSet
        }
    }

    mutating func append(_ arguments: [Argument]) {
        if arguments.isEmpty { return }
        list("(", arguments, ")") { printer, argument in
            printer.output += printer.isCompact ? "\(argument.name.text):" : "\(argument.name.text): "
            printer.append(argument.value)
        }
    }

    mutating func append(_ directives: [Directive]) {
        for directive in directives {
            space()
            output += "@\(directive.name.text)"
            append(directive.arguments)
        }
    }

    // MARK: - Values

    mutating func append(_ value: Value) {
        switch value {
        case .variable(let variable): output += "$\(variable.name)"
        case .int(let value): output += value.text
        case .float(let value): output += value.text
        case .string(let value): append(quoted: value.text)
        case .boolean(let value): output += value.isTrue ? "true" : "false"
        case .null: output += "null"
        case .enum(let name): output += name.text
        case .list, .object: append(nested: value)
        }
    }

    /// A part of a list or object that has not been printed.
    private enum Piece {
        case text(String)
        case value(Value)
    }

    /// Prints a list or an object. Pending pieces are in an array, the next one last, so that deep nesting costs no
    /// stack.
    private mutating func append(nested value: Value) {
        var pending = [Piece.value(value)]
        let comma = Piece.text(isCompact ? "," : ", ")
        while let piece = pending.popLast() {
            switch piece {
            case .text(let text): output += text
            case .value(.list(let list)):
                output += "["
                pending.append(.text("]"))
                for (index, item) in list.values.enumerated().reversed() {
                    pending.append(.value(item))
                    if index > 0 { pending.append(comma) }
                }
            case .value(.object(let object)):
                output += "{"
                pending.append(.text("}"))
                for (index, field) in object.fields.enumerated().reversed() {
                    pending.append(.value(field.value))
                    pending.append(.text(isCompact ? "\(field.name.text):" : "\(field.name.text): "))
                    if index > 0 { pending.append(comma) }
                }
            case .value(let value): append(value)
            }
        }
    }

    // MARK: - Strings

    /// Prints a description on one or more lines of its own.
    mutating func append(description: StringValue?) {
        guard let text = description?.text else { return }
        if !isCompact, BlockString.canHold(text) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            output += "\"\"\""
            for line in lines {
                if line.isEmpty { output += "\n" } else { newLine() }
                output += String(line).replacingTripleQuotes()
            }
            newLine()
            output += "\"\"\""
        } else {
            append(quoted: text)
        }
        newLine()
    }

    mutating func append(quoted text: String) {
        // Without a space, two adjacent strings could look like the beginning of a block string.
        if output.utf8.last == UInt8(ascii: "\"") { output += " " }
        output += text.quoted(in: .graphQL)
    }
}

extension String {
    /// The text with a backslash before each `"""`.
    func replacingTripleQuotes() -> String {
        let quote = UInt8(ascii: "\"")
        var output: [UInt8] = []
        var run = 0
        for byte in utf8 {
            run = byte == quote ? run + 1 : 0
            output.append(byte)
            if run == 3 {
                output.insert(UInt8(ascii: "\\"), at: output.count - 3)
                run = 0
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
