/// Writes syntax trees as text that parses to an equal tree.
///
/// `.pretty` is for people: two spaces of indentation, one selection a line, descriptions as block strings.
/// `.compact` is for the network: no white space that the grammar can do without.
///
/// Comments are not in the trees, so they are not in the text either.
package struct Printer: Sendable {
    /// For whom the text is.
    package enum Style: Hashable, Sendable {
        case pretty
        case compact
    }

    let style: Style
    var output = ""
    var indentation = 0
    /// Whether what is in front may go on with a brace, so that a query needs its keyword.
    var isBehindType = false

    package init(_ style: Style = .pretty) {
        self.style = style
    }

    var isCompact: Bool { style == .compact }

    /// All definitions; pretty ones are apart by an empty line and the last ends with a line break.
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

    /// A space that only people need.
    mutating func space() {
        if !isCompact { output += " " }
    }

    /// A line break with indentation; in compact text nothing.
    mutating func newLine() {
        if isCompact { return }
        output += "\n"
        output += String(repeating: "  ", count: indentation)
    }

    /// Something that may be given up in compact text only where the grammar keeps its neighbours apart anyway.
    mutating func separate() {
        guard isCompact else { return }
        guard let last = output.utf8.last, Lexer.continuesName(last) else { return }
        output += " "
    }

    /// Members between braces, one a line.
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

    /// Members between other brackets, with commas.
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
