/// Prints syntax trees as text that parses to an equal tree.
///
/// `.pretty` is for people: two spaces of indentation, one selection on each line, descriptions as block strings.
/// `.compact` is for the network: it has no white space that the grammar does not need. Comments are not in the trees,
/// so they are not printed.
package struct Printer: Sendable {
    /// The layout of the text.
    package enum Style: Hashable, Sendable {
        case pretty
        case compact
    }

    let style: Style
    var output = ""
    var indentation = 0
    /// Whether a brace could continue the printed text, so that a query needs its keyword.
    var isBehindType = false

    package init(_ style: Style = .pretty) {
        self.style = style
    }

    var isCompact: Bool { style == .compact }

    /// Prints all definitions. Pretty definitions have an empty line between them, and the last one ends with a line
    /// break.
    package static func print(_ document: Document, _ style: Style = .pretty) -> String {
        var printer = Printer(style)
        for (index, definition) in document.definitions.enumerated() {
            if index > 0 { printer.output += style == .compact ? " " : "\n" }
            printer.append(definition)
            switch definition {
            case .type, .schema: printer.isBehindType = true
            case .operation, .fragment, .directive: printer.isBehindType = false
            }
            if style == .pretty { printer.output += "\n" }
        }
        return printer.output
    }

    package static func print(_ definition: Definition, _ style: Style = .pretty) -> String {
        var printer = Printer(style)
        printer.append(definition)
        return printer.output
    }

    package static func print(_ operation: OperationDefinition, _ style: Style = .pretty) -> String {
        print(.operation(operation), style)
    }

    package static func print(_ fragment: FragmentDefinition, _ style: Style = .pretty) -> String {
        print(.fragment(fragment), style)
    }

    package static func print(_ selectionSet: SelectionSet, _ style: Style = .pretty) -> String {
        var printer = Printer(style)
        printer.append(selectionSet)
        return printer.output
    }

    package static func print(_ value: Value, _ style: Style = .pretty) -> String {
        var printer = Printer(style)
        printer.append(value)
        return printer.output
    }

    package static func print(_ type: TypeNode) -> String {
        var type = type
        var prefix = ""
        var suffix: [Character] = []
        while true {
            switch type {
            case .named(let name): return prefix + name.text + String(suffix.reversed())
            case .list(let item, _):
                prefix += "["
                suffix.append("]")
                type = item
            case .nonNull(let inner, _):
                suffix.append("!")
                type = inner
            }
        }
    }

    mutating func append(_ definition: Definition) {
        switch definition {
        case .operation(let operation): append(operation)
        case .fragment(let fragment): append(fragment)
        case .schema(let schema): append(schema)
        case .type(let type): append(type)
        case .directive(let directive): append(directive)
        }
    }

    // MARK: - Layout

    /// Prints a space in pretty text.
    mutating func space() {
        if !isCompact { output += " " }
    }

    /// Prints a line break with indentation in pretty text.
    mutating func newLine() {
        if isCompact { return }
        output += "\n"
        output += String(repeating: "  ", count: indentation)
    }

    /// Prints a space in compact text, if the text before would otherwise join the following name.
    mutating func separate() {
        guard isCompact else { return }
        guard let last = output.utf8.last, Lexer.continuesName(last) else { return }
        output += " "
    }

    /// Prints members in braces, one on each line.
    mutating func braces<Member>(_ members: [Member], _ member: (inout Printer, Member) -> Void) {
        output += "{"
        indentation += 1
        for element in members {
            newLine()
            member(&self, element)
        }
        indentation -= 1
        newLine()
        output += "}"
    }

    /// Prints members in other brackets, with commas.
    mutating func list<Member>(
        _ open: String,
        _ members: [Member],
        _ close: String,
        _ member: (inout Printer, Member) -> Void
    ) {
        output += open
        for (index, element) in members.enumerated() {
            if index > 0 { output += isCompact ? "," : ", " }
            member(&self, element)
        }
        output += close
    }
}
