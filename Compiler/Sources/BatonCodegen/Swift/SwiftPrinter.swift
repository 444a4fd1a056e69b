import BatonDiagnostics

/// Prints a tree of Swift as text, with four spaces for each level and, where possible, lines of at most 120 columns.
package struct SwiftPrinter {
    private var output = ""
    private var level = 0

    private static let width = 120

    private init() {}

    /// The whole text of a file, with a line break at its end.
    package static func print(_ file: SwiftFile) -> String {
        var printer = SwiftPrinter()
        for comment in file.comments { printer.line("// " + comment) }
        printer.blank()
        for item in file.imports { printer.print(item) }
        for declaration in file.declarations {
            printer.blank()
            printer.print(declaration)
        }
        return printer.output
    }

    /// Prints an import. A `package import` would make every plain import of the module in the same target ambiguous.
    /// It is therefore written only if plain imports are internal.
    private mutating func print(_ item: SwiftImport) {
        switch item.access {
        case .package:
            line("#if hasFeature(InternalImportsByDefault)")
            line("package import \(item.module)")
            line("#else")
            line("import \(item.module)")
            line("#endif")
        case .public: line("public import \(item.module)")
        case .internal, nil: line("import \(item.module)")
        }
    }

    private mutating func line(_ text: String) {
        for _ in 0..<level { output += "    " }
        output += text
        output += "\n"
    }

    private mutating func blank() {
        output += "\n"
    }

    private func fits(_ text: String) -> Bool {
        level * 4 + text.utf8.count <= Self.width
    }

    /// Joins the items of a list with commas to as few lines as have room for them at the level.
    private func filled(_ items: [String], at level: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        for (index, item) in items.enumerated() {
            let text = index + 1 < items.count ? item + "," : item
            if current.isEmpty {
                current = text
            } else if level * 4 + current.utf8.count + 1 + text.utf8.count <= Self.width {
                current += " " + text
            } else {
                lines.append(current)
                current = text
            }
        }
        return current.isEmpty ? lines : lines + [current]
    }

    // MARK: - Declarations

    private mutating func print(_ declaration: SwiftDeclaration) {
        switch declaration {
        case .type(let type):
            let inheritance = type.inheritance.map(text).joined(separator: ", ")
            let name = SwiftName.escaped(type.name) + (inheritance.isEmpty ? "" : ": " + inheritance)
            block(open(type.head, type.keyword.rawValue + " " + name), type.members)
        case .extension(let item):
            let requirement = item.requirement.map { " where \(text($0.left)) == \(text($0.right))" } ?? ""
            block("extension \(text(item.extended))\(requirement)", item.members)
        case .variable(let variable): print(variable)
        case .function(let function): print(function)
        case .enumCases(let head, let cases):
            let names = cases.map { item in
                SwiftName.escaped(item.name)
                    + (item.payload.isEmpty ? "" : "(" + item.payload.map(text).joined(separator: ", ") + ")")
            }
            for (index, text) in filled(names, at: level + 1).enumerated() {
                line(index == 0 ? open(head, "case " + text) : "    " + text)
            }
        }
    }

    /// Prints comments and attributes; returns the line that starts with the modifiers.
    private mutating func open(_ head: SwiftHead, _ rest: String) -> String {
        if let documentation = head.documentation { comment(documentation) }
        if let message = head.deprecation {
            // An attribute does not accept raw literals.
            line("@available(*, deprecated, message: \(message.quoted(in: .swift)))")
        }
        return (head.modifiers + [rest]).joined(separator: " ")
    }

    private mutating func comment(_ documentation: String) {
        for text in documentation.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let visible = text.unicodeScalars.map { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F ? " " : $0 }
            var line = String(String.UnicodeScalarView(visible))
            while line.last?.isWhitespace == true { line.removeLast() }
            self.line(line.isEmpty ? "///" : "/// " + line)
        }
    }

    /// Prints members in braces. A member whose body has lines of its own has empty lines around it; other members
    /// follow each other directly.
    private mutating func block(_ head: String, _ members: [SwiftDeclaration]) {
        if members.isEmpty {
            line(head + " {}")
            return
        }
        line(head + " {")
        level += 1
        var previousStandsApart = false
        for (index, member) in members.enumerated() {
            let standsApart = standsApart(member)
            if index > 0, standsApart || previousStandsApart { blank() }
            print(member)
            previousStandsApart = standsApart
        }
        level -= 1
        line("}")
    }

    private func standsApart(_ declaration: SwiftDeclaration) -> Bool {
        switch declaration {
        case .type, .extension: true
        case .function(let function): oneLine(function) == nil
        case .variable(let variable): variable.head.deprecation != nil
        case .enumCases: false
        }
    }

    private mutating func print(_ variable: SwiftVariable) {
        var head = (variable.isConstant ? "let " : "var ") + SwiftName.escaped(variable.name)
        if let type = variable.type { head += ": " + text(type) }
        head = open(variable.head, head)
        if let value = variable.value {
            line(head + " = " + text(value))
        } else if variable.getter.isEmpty {
            line(head)
        } else if variable.setter.isEmpty {
            body(head, variable.getter)
        } else {
            line(head + " {")
            level += 1
            body("get", variable.getter)
            body("set", variable.setter)
            level -= 1
            line("}")
        }
    }

    private mutating func print(_ function: SwiftFunction) {
        let start = open(function.head, Self.name(of: function))
        if let line = oneLine(function) { return self.line(line) }
        let result = function.result.map { " -> " + text($0) } ?? ""
        let parameters = function.parameters.map(text)
        let head = "\(start)(\(parameters.joined(separator: ", ")))\(result)"
        if fits(head + " {") { return body(head, function.body) }
        line(start + "(")
        level += 1
        for text in filled(parameters, at: level) { line(text) }
        level -= 1
        body(")" + result, function.body, onOneLine: false)
    }

    /// The whole function without its comments and attributes, if it fits on one line.
    private func oneLine(_ function: SwiftFunction) -> String? {
        let start = (function.head.modifiers + [Self.name(of: function)]).joined(separator: " ")
        let parameters = function.parameters.map(text).joined(separator: ", ")
        let result = function.result.map { " -> " + text($0) } ?? ""
        return oneLine("\(start)(\(parameters))\(result)", function.body)
    }

    private static func name(of function: SwiftFunction) -> String {
        switch function.kind {
        case .function(let name): "func " + SwiftName.escaped(name)
        case .initializer: "init"
        }
    }

    private func text(_ parameter: SwiftParameter) -> String {
        let name = SwiftName.escaped(parameter.name)
        let label =
            switch parameter.label {
            case .sameAsName: name
            case .none: "_ " + name
            case .named(let label): SwiftName.label(label) + " " + name
            }
        let value = parameter.defaultValue.map { " = " + text($0) } ?? ""
        return "\(label): \(parameter.isInout ? "inout " : "")\(text(parameter.type))\(value)"
    }

    // MARK: - Statements

    private mutating func body(_ head: String, _ statements: [SwiftStatement], onOneLine: Bool = true) {
        if statements.isEmpty { return line(head + " {}") }
        if onOneLine, let line = oneLine(head, statements) { return self.line(line) }
        line(head + " {")
        level += 1
        for statement in statements { print(statement) }
        level -= 1
        line("}")
    }

    /// The head with a body of at most one statement, if both fit on one line.
    private func oneLine(_ head: String, _ statements: [SwiftStatement]) -> String? {
        guard let statement = statements.first else { return fits(head + " {}") ? head + " {}" : nil }
        guard statements.count == 1, let text = shortText(statement) else { return nil }
        let line = "\(head) { \(text) }"
        return fits(line) ? line : nil
    }

    private func shortText(_ statement: SwiftStatement) -> String? {
        switch statement {
        case .expression(let value): text(value)
        case .assignment(let target, let value): "\(text(target)) = \(text(value))"
        case .switch: nil
        }
    }

    private mutating func print(_ statement: SwiftStatement) {
        switch statement {
        case .expression(let value): line(text(value))
        case .assignment(let target, let value): line("\(text(target)) = \(text(value))")
        case .switch(let subject, let cases):
            line("switch \(text(subject)) {")
            for item in cases {
                let pattern =
                    switch item.pattern {
                    case .expression(let value): "case " + text(value)
                    case .payload(let name, let binding): "case .\(SwiftName.escaped(name))(let \(binding))"
                    case .otherwise: "default"
                    }
                line("\(pattern): \(shortText(item.body) ?? "break")")
            }
            line("}")
        }
    }

    // MARK: - Expressions and types

    private func text(_ expression: SwiftExpression) -> String {
        switch expression {
        case .name(let name): SwiftName.escaped(name)
        case .selfReference: "self"
        case .string(let value): SwiftLiteral.string(value)
        case .integer(let value): String(value)
        case .nil: "nil"
        case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
        case .member(let base, let name): (base.map(text) ?? "") + "." + SwiftName.escaped(name)
        case .metatype(let type): text(type) + ".self"
        case .type(let type): text(type)
        case .closure(let body): "{ " + text(body) + " }"
        case .coalesce(let left, let right): text(left) + " ?? " + text(right)
        case .call(let function, let arguments, let layout): call(function, arguments, layout)
        }
    }

    private func call(_ function: SwiftExpression, _ arguments: [SwiftArgument], _ layout: SwiftLayout) -> String {
        let parts = arguments.filter { !$0.isTrailing }.map { argument in
            (argument.label.map { SwiftName.label($0) + ": " } ?? "") + text(argument.value)
        }
        let trailing = arguments.filter(\.isTrailing).map { " " + text($0.value) }.joined()
        if layout == .block, !parts.isEmpty {
            let indent = String(repeating: "    ", count: level)
            let lines = filled(parts, at: level + 1).map { indent + "    " + $0 }.joined(separator: "\n")
            return text(function) + "(\n\(lines)\n\(indent))" + trailing
        }
        if parts.isEmpty, !trailing.isEmpty { return text(function) + trailing }
        return text(function) + "(" + parts.joined(separator: ", ") + ")" + trailing
    }

    private func text(_ type: SwiftType) -> String {
        switch type {
        case .named(let name):
            name.utf8.contains(UInt8(ascii: "."))
                ? name.split(separator: ".").map { SwiftName.escaped(String($0)) }.joined(separator: ".")
                : SwiftName.escaped(name)
        case .optional(let inner): text(inner) + "?"
        case .array(let item): "[" + text(item) + "]"
        case .generic(let name, let arguments): name + "<" + arguments.map(text).joined(separator: ", ") + ">"
        }
    }
}
