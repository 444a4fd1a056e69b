import BatonDiagnostics

/// Prints a tree of Swift as text, with four spaces for each level and, where possible, lines of at most 120 columns.
///
/// Generated code is long, so that the printer saves lines: closing braces stand at the end of the last line that they
/// close, short statements share a line, and there are no empty lines.
package struct SwiftPrinter {
    private var output = ""
    private var level = 0

    private static let width = 120

    private init() {}

    /// The whole text of a file, with a line break at its end.
    package static func print(_ file: SwiftFile) -> String {
        var printer = SwiftPrinter()
        for comment in file.comments { printer.line("// " + comment) }
        for item in file.imports { printer.print(item) }
        for declaration in file.declarations { printer.print(declaration) }
        return printer.output
    }

    /// Prints an import. A `package import` would make every plain import of the module in the same target ambiguous,
    /// so that it is written only if plain imports are internal.
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

    private func fits(_ text: String) -> Bool {
        level * 4 + text.utf8.count <= Self.width
    }

    /// Joins the items of a list to as few lines as have room for them at the level.
    private func filled(_ items: [String], at level: Int, separator: String = ",") -> [String] {
        var lines: [String] = []
        var current = ""
        for (index, item) in items.enumerated() {
            let text = index + 1 < items.count ? item + separator : item
            if current.isEmpty {
                current = text
            } else if level * 4 + current.utf8.count + 1 + text.utf8.count <= Self.width {
                current += " " + text
            } else {
                // A semicolon at the end of a line is not needed.
                lines.append(separator == ";" ? String(current.dropLast()) : current)
                current = text
            }
        }
        return current.isEmpty ? lines : lines + [current]
    }

    /// Appends a closing brace to the last line.
    private mutating func close() {
        output.removeLast()
        output += " }\n"
    }

    // MARK: - Declarations

    private mutating func print(_ declaration: SwiftDeclaration) {
        switch declaration {
        case .type(let type):
            let inheritance = type.inheritance.map(text).joined(separator: ", ")
            let name = SwiftName.escaped(type.name) + (inheritance.isEmpty ? "" : ": " + inheritance)
            block(open(type.head, type.keyword.rawValue + " " + name), lead: type.lead, type.members)
        case .extension(let item):
            let requirement = item.requirement.map { " where \(text($0.left)) == \(text($0.right))" } ?? ""
            block("extension \(text(item.extended))\(requirement)", lead: [], item.members)
        case .line(let declarations):
            let texts = declarations.compactMap(oneLine)
            if texts.count < declarations.count {
                for declaration in declarations { print(declaration) }
                return
            }
            for text in filled(texts, at: level, separator: ";") { line(text) }
        case .variable(let variable): print(variable)
        case .function(let function): print(function)
        case .enumCases(let head, let cases):
            for (index, text) in filled(cases.map(text), at: level + 1).enumerated() {
                line(index == 0 ? open(head, "case " + text) : "    " + text)
            }
        case .typealias(let head, let name, let type): line(open(head, text(name, type)))
        }
    }

    private func text(_ item: SwiftEnumCase) -> String {
        SwiftName.escaped(item.name)
            + (item.payload.isEmpty ? "" : "(" + item.payload.map(text).joined(separator: ", ") + ")")
    }

    private func text(_ name: String, _ type: SwiftType) -> String {
        "typealias \(SwiftName.escaped(name)) = \(text(type))"
    }

    /// Prints comments and attributes; returns the line that starts with the modifiers.
    private mutating func open(_ head: SwiftHead, _ rest: String) -> String {
        comments(head)
        return (head.modifiers + [rest]).joined(separator: " ")
    }

    private mutating func comments(_ head: SwiftHead) {
        if let documentation = head.documentation { comment(documentation) }
        if let message = head.deprecation {
            // An attribute does not accept raw literals.
            line("@available(*, deprecated, message: \(message.quoted(in: .swift)))")
        }
    }

    private mutating func comment(_ documentation: String) {
        for text in documentation.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let visible = text.unicodeScalars.map { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F ? " " : $0 }
            var line = String(String.UnicodeScalarView(visible))
            while line.last?.isWhitespace == true { line.removeLast() }
            self.line(line.isEmpty ? "///" : "/// " + line)
        }
    }

    /// Prints members in braces. The lead stands on the line of the head, and the others on lines of their own, unless
    /// all members fit on one line.
    private mutating func block(_ head: String, lead: [SwiftDeclaration], _ members: [SwiftDeclaration]) {
        let leading = lead.compactMap(oneLine)
        if leading.count < lead.count { return block(head, lead: [], lead + members) }
        if members.count <= 1 {
            let texts = leading + members.compactMap(oneLine)
            let whole = texts.isEmpty ? head + " {}" : head + " { " + texts.joined(separator: "; ") + " }"
            if texts.count == leading.count + members.count, fits(whole) { return line(whole) }
        }
        let first = leading.isEmpty ? head + " {" : head + " { " + leading.joined(separator: "; ")
        if fits(first) {
            line(first)
            level += 1
        } else {
            line(head + " {")
            level += 1
            for text in filled(leading, at: level, separator: ";") { line(text) }
        }
        for member in members { print(member) }
        level -= 1
        close()
    }

    /// A declaration without comments and attributes, if it fits on one line.
    private func oneLine(_ declaration: SwiftDeclaration) -> String? {
        switch declaration {
        case .function(let function): function.head.isPlain ? oneLine(function) : nil
        case .variable(let variable): variable.head.isPlain ? oneLine(variable) : nil
        case .enumCases(let head, let cases):
            head.isPlain ? "case " + cases.map(text).joined(separator: ", ") : nil
        case .typealias(let head, let name, let type):
            head.isPlain ? (head.modifiers + [text(name, type)]).joined(separator: " ") : nil
        case .type, .extension, .line: nil
        }
    }

    /// The whole variable without its comments and attributes, if it fits on one line.
    private func oneLine(_ variable: SwiftVariable) -> String? {
        let head = start(of: variable)
        if let value = variable.value {
            // A plan is long, and its text is made once.
            if value.isLonger(than: Self.width) { return nil }
            let line = head + " = " + text(value)
            return fits(line) ? line : nil
        }
        if variable.getter.isEmpty { return fits(head) ? head : nil }
        guard variable.setter.isEmpty else {
            guard let getter = oneLine("get", variable.getter),
                let setter = oneLine(variable.setKeyword, variable.setter)
            else {
                return nil
            }
            let line = "\(head) { \(getter) \(setter) }"
            return fits(line) ? line : nil
        }
        return oneLine(head, variable.getter)
    }

    private func start(of variable: SwiftVariable) -> String {
        let name = (variable.isConstant ? "let " : "var ") + SwiftName.escaped(variable.name)
        let type = variable.type.map { ": " + text($0) } ?? ""
        return (variable.head.modifiers + [name + type]).joined(separator: " ")
    }

    private mutating func print(_ variable: SwiftVariable) {
        comments(variable.head)
        if let line = oneLine(variable) { return self.line(line) }
        let start = start(of: variable)
        if let value = variable.value {
            line(start + " = " + text(value))
        } else if variable.getter.isEmpty {
            line(start)
        } else if variable.setter.isEmpty {
            body(start, variable.getter)
        } else {
            line(start + " {")
            level += 1
            let setter = oneLine(variable.setKeyword, variable.setter)
            let short = [oneLine("get", variable.getter), setter].compactMap(\.self)
            if short.count == 2, fits(short.joined(separator: " ")) {
                line(short.joined(separator: " "))
            } else {
                body("get", variable.getter)
                body(variable.setKeyword, variable.setter)
            }
            level -= 1
            close()
        }
    }

    private mutating func print(_ function: SwiftFunction) {
        comments(function.head)
        if let line = oneLine(function) { return self.line(line) }
        let start = (function.head.modifiers + [Self.name(of: function)]).joined(separator: " ")
        let result = text(resultOf: function)
        var parameters = function.parameters.map(text)
        if parameters.isEmpty { return body(start + "()" + result, function.body) }
        // The line of the first parameter begins with the start of the function, and that of the last one ends with its
        // end.
        parameters[0] = start + "(" + parameters[0]
        parameters[parameters.count - 1] += ")" + result
        let lines = filled(parameters, at: level + 1)
        for (index, text) in lines.dropLast().enumerated() { line(index == 0 ? text : "    " + text) }
        body((lines.count > 1 ? "    " : "") + (lines.last ?? ""), function.body)
    }

    /// The whole function without its comments and attributes, if it fits on one line.
    private func oneLine(_ function: SwiftFunction) -> String? {
        let start = (function.head.modifiers + [Self.name(of: function)]).joined(separator: " ")
        let parameters = function.parameters.map(text).joined(separator: ", ")
        let result = text(resultOf: function)
        return oneLine("\(start)(\(parameters))\(result)", function.body)
    }

    private func text(resultOf function: SwiftFunction) -> String {
        let effects = function.asyncError.map { " async throws(\(text($0)))" } ?? ""
        return effects + (function.result.map { " -> " + text($0) } ?? "")
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

    private mutating func body(_ head: String, _ statements: [SwiftStatement]) {
        if let line = oneLine(head, statements) { return self.line(line) }
        if statements.count == 1, case .choice(let choices, let otherwise) = statements[0] {
            line("\(head) {")
            level += 1
            for text in filled(texts(choices, otherwise), at: level, separator: "") { line(text) }
            level -= 1
            return close()
        }
        if statements.count == 1, case .switch(let subject, let cases) = statements[0] {
            // The line of the first case begins with the start of the function.
            var texts = cases.map(text)
            let start = "\(head) { switch \(text(subject)) {"
            if texts.isEmpty { texts = [start] } else { texts[0] = start + " " + texts[0] }
            for text in filled(texts, at: level, separator: ";") { line(text) }
            close()
            return close()
        }
        line(head + " {")
        level += 1
        let texts = statements.compactMap(shortText)
        if texts.count == statements.count {
            for text in filled(texts, at: level, separator: ";") { line(text) }
        } else {
            for statement in statements { print(statement) }
        }
        level -= 1
        close()
    }

    /// The head with its body, if both fit on one line.
    private func oneLine(_ head: String, _ statements: [SwiftStatement]) -> String? {
        let texts = statements.compactMap(shortText)
        guard texts.count == statements.count else { return nil }
        let line = texts.isEmpty ? head + " {}" : "\(head) { \(texts.joined(separator: "; ")) }"
        return fits(line) ? line : nil
    }

    private func shortText(_ statement: SwiftStatement) -> String? {
        switch statement {
        case .expression(let value): text(value)
        case .assignment(let target, let value): "\(text(target)) = \(text(value))"
        case .variable(let name, let value): "var \(SwiftName.escaped(name)) = \(text(value))"
        case .return(let value): "return " + text(value)
        case .choice(let choices, let otherwise): texts(choices, otherwise).joined(separator: " ")
        case .switch: nil
        }
    }

    private func texts(_ choices: [SwiftStatement.Choice], _ otherwise: SwiftExpression) -> [String] {
        let branches = choices.enumerated().map { index, choice in
            (index == 0 ? "" : "else ")
                + "if let \(choice.binding) = \(text(choice.value)) { \(text(choice.body)) }"
        }
        return branches + ["else { \(text(otherwise)) }"]
    }

    private mutating func print(_ statement: SwiftStatement) {
        guard case .switch(let subject, let cases) = statement else { return line(shortText(statement) ?? "") }
        line("switch \(text(subject)) {")
        for text in filled(cases.map(text), at: level, separator: ";") { line(text) }
        close()
    }

    private func text(_ item: SwiftSwitchCase) -> String {
        let pattern =
            switch item.pattern {
            case .expression(let value): "case " + text(value)
            case .payload(let name, let binding): "case .\(SwiftName.escaped(name))(let \(binding))"
            case .otherwise: "default"
            }
        return "\(pattern): \(shortText(item.body) ?? "break")"
    }

    // MARK: - Expressions and types

    private func text(_ expression: SwiftExpression) -> String {
        switch expression {
        case .name(let name): SwiftName.escaped(name)
        case .selfReference: "self"
        case .string(let value): SwiftLiteral.string(value)
        case .integer(let value): String(value)
        case .nil: "nil"
        case .initializer: ".init"
        case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
        case .member(let base, let name): (base.map(text) ?? "") + "." + SwiftName.escaped(name)
        case .subscript(let base, let index): text(base) + "[" + index.map(text).joined(separator: ", ") + "]"
        case .metatype(let type): text(type) + ".self"
        case .type(let type): text(type)
        case .closure(let body): "{ " + text(body) + " }"
        case .coalesce(let left, let right): text(left) + " ?? " + text(right)
        case .awaited(let expression): "try await " + text(expression)
        case .call(let function, let arguments, let layout): call(function, arguments, layout)
        }
    }

    private func call(_ function: SwiftExpression, _ arguments: [SwiftArgument], _ layout: SwiftLayout) -> String {
        let parts = arguments.filter { !$0.isTrailing }.map(text)
        let trailing = arguments.filter(\.isTrailing).map { " " + text($0.value) }.joined()
        if layout == .block, !parts.isEmpty {
            let lines = filled(parts, at: level + 1)
            let separator = "\n" + String(repeating: "    ", count: level + 1)
            let isShort = lines[0].utf8.count <= Self.width / 2
            return text(function) + "(" + (isShort ? "" : separator) + lines.joined(separator: separator) + ")"
                + trailing
        }
        if parts.isEmpty, !trailing.isEmpty { return text(function) + trailing }
        return text(function) + "(" + parts.joined(separator: ", ") + ")" + trailing
    }

    private func text(_ argument: SwiftArgument) -> String {
        (argument.label.map { SwiftName.label($0) + ": " } ?? "") + text(argument.value)
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

extension SwiftVariable {
    fileprivate var setKeyword: String { isSetNonmutating ? "nonmutating set" : "set" }
}
