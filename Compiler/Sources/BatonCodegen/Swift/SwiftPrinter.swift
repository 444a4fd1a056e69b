import BatonDiagnostics

/// Prints a tree of Swift as text, with four spaces for each level and, where possible, lines of at most 120 columns.
///
/// Generated code is long, so that the printer saves lines: closing braces stand at the end of the last line that they
/// close, short statements share a line, and there are no empty lines.
///
/// All text is added to one list of bytes. A line that turns out too long is taken back, and printed on several lines.
/// Strings that are joined to larger ones took more than twice the time. Benchmark: `project.cold-ms`
package struct SwiftPrinter {
    var bytes: [UInt8] = []
    var level: Int

    static let width = 120

    init(level: Int = 0) {
        self.level = level
    }

    /// The whole text of a file, with a line break at its end.
    package static func print(_ file: SwiftFile) -> String {
        var printer = SwiftPrinter()
        printer.bytes.reserveCapacity(4096)
        for comment in file.comments { printer.line("// " + comment) }
        for item in file.imports { printer.print(item) }
        for declaration in file.declarations { printer.print(declaration) }
        return String(decoding: printer.bytes, as: UTF8.self)
    }

    /// Prints an import. A `package import` would make every plain import of the module in the same target ambiguous,
    /// so that it is written only if plain imports are internal.
    mutating func print(_ item: SwiftImport) {
        if item.isTestable { return line("@testable import \(item.module)") }
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

    // MARK: - Text

    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func add(name: String) {
        if SwiftName.isKeyword(name) {
            add("`")
            add(name)
            add("`")
        } else {
            add(name)
        }
    }

    mutating func add<Item>(
        _ items: some Sequence<Item>, separator: String, _ each: (inout SwiftPrinter, Item) -> Void
    ) {
        var isFirst = true
        for item in items {
            if !isFirst { add(separator) }
            isFirst = false
            each(&self, item)
        }
    }

    mutating func indent() {
        for _ in 0..<level { add("    ") }
    }

    mutating func line(_ text: String) {
        indent()
        add(text)
        add("\n")
    }

    mutating func line(_ text: [UInt8], _ end: String = "") {
        indent()
        bytes += text
        add(end)
        add("\n")
    }

    /// Takes back what was added after a place.
    mutating func remove(from start: Int) { bytes.removeLast(bytes.count - start) }

    /// Whether what was added after a place fits on a line at the level; takes it back if not.
    mutating func fits(from start: Int) -> Bool {
        if level * 4 + bytes.count - start <= Self.width { return true }
        remove(from: start)
        return false
    }

    /// Appends a closing brace to the last line.
    mutating func close() {
        bytes.removeLast()
        add(" }\n")
    }

    /// What `write` adds, apart from the text so far.
    func text(_ write: (inout SwiftPrinter) -> Void) -> [UInt8] {
        var printer = SwiftPrinter(level: level)
        write(&printer)
        return printer.bytes
    }

    // MARK: - Lists

    /// The items of a list one after the other, with the place where each one ends.
    struct Items {
        var printer: SwiftPrinter
        var ends: [Int] = []

        var isEmpty: Bool { ends.isEmpty }

        func item(at index: Int) -> ArraySlice<UInt8> {
            printer.bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
        }
    }

    /// The items of which `write` adds each; nil if it cannot add one.
    func items<Item>(_ list: [Item], _ write: (inout SwiftPrinter, Item) -> Bool) -> Items? {
        var items = Items(printer: SwiftPrinter(level: level))
        for item in list {
            guard write(&items.printer, item) else { return nil }
            items.ends.append(items.printer.bytes.count)
        }
        return items
    }

    mutating func add(_ items: Items, separator: String) {
        for index in items.ends.indices {
            if index > 0 { add(separator) }
            bytes += items.item(at: index)
        }
    }

    /// Joins the items of a list to as few lines as have room for them at the level.
    func filled(_ items: Items, at level: Int, separator: String = ",") -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var current: [UInt8] = []
        for index in items.ends.indices {
            let item = items.item(at: index)
            let isLast = index + 1 == items.ends.count
            let count = item.count + (isLast ? 0 : separator.utf8.count)
            if !current.isEmpty {
                if level * 4 + current.count + 1 + count <= Self.width {
                    current.append(UInt8(ascii: " "))
                } else {
                    // A semicolon at the end of a line is not needed.
                    if separator == ";" { current.removeLast() }
                    lines.append(current)
                    current = []
                }
            }
            current += item
            if !isLast { current.append(contentsOf: separator.utf8) }
        }
        if !current.isEmpty { lines.append(current) }
        return lines
    }

    mutating func fill(_ items: Items, separator: String) {
        for text in filled(items, at: level, separator: separator) { line(text) }
    }

    // MARK: - Declarations

    mutating func print(_ declaration: SwiftDeclaration) {
        switch declaration {
        case .type(let type):
            comments(type.head)
            let head = text { head in
                head.add(type.head)
                head.add(type.keyword.rawValue)
                head.add(" ")
                head.add(name: type.name)
                if !type.inheritance.isEmpty { head.add(": ") }
                head.add(type.inheritance, separator: ", ") { $0.add($1) }
            }
            block(head, lead: type.lead, type.members)
        case .extension(let item):
            let head = text { head in
                head.add("extension ")
                head.add(item.extended)
                guard let requirement = item.requirement else { return }
                head.add(" where ")
                head.add(requirement.left)
                head.add(" == ")
                head.add(requirement.right)
            }
            block(head, lead: [], item.members)
        case .line(let declarations):
            if let texts = items(declarations, { $0.addOneLine($1) }) { return fill(texts, separator: ";") }
            for declaration in declarations { print(declaration) }
        case .variable(let variable): print(variable)
        case .function(let function): print(function)
        case .enumCases(let head, let cases):
            let lines = items(cases) { $0.add($1) }.map { filled($0, at: level + 1) } ?? []
            for (index, text) in lines.enumerated() {
                if index == 0 { comments(head) }
                line(self.text { index == 0 ? $0.addCase(head) : $0.add("    ") } + text)
            }
        case .typealias(let head, let name, let type):
            comments(head)
            line(text { $0.addAlias(head, name, type) })
        }
    }

    /// The modifiers, and the keyword of a case.
    mutating func addCase(_ head: SwiftHead) {
        add(head)
        add("case ")
    }

    mutating func add(_ item: SwiftEnumCase) -> Bool {
        add(name: item.name)
        if let value = item.rawValue { add(" = " + value.quoted(in: .swift)) }
        if item.payload.isEmpty { return true }
        add("(")
        add(item.payload, separator: ", ") { $0.add($1) }
        add(")")
        return true
    }

    mutating func addAlias(_ head: SwiftHead, _ name: String, _ type: SwiftType) {
        add(head)
        add("typealias ")
        add(name: name)
        add(" = ")
        add(type)
    }

    /// Adds the modifiers, each with a space after it.
    mutating func add(_ head: SwiftHead) {
        for modifier in head.modifiers {
            add(modifier)
            add(" ")
        }
    }

    mutating func comments(_ head: SwiftHead) {
        if let documentation = head.documentation { comment(documentation) }
        if let message = head.deprecation {
            // An attribute does not accept raw literals.
            line("@available(*, deprecated, message: \(message.quoted(in: .swift)))")
        }
    }

    mutating func comment(_ documentation: String) {
        for text in documentation.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let visible = text.unicodeScalars.map { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F ? " " : $0 }
            var line = String(String.UnicodeScalarView(visible))
            while line.last?.isWhitespace == true { line.removeLast() }
            self.line(line.isEmpty ? "///" : "/// " + line)
        }
    }

    /// Prints members in braces. The lead stands on the line of the head, and the others on lines of their own, unless
    /// all members fit on one line.
    mutating func block(_ head: [UInt8], lead: [SwiftDeclaration], _ members: [SwiftDeclaration]) {
        guard let leading = items(lead, { $0.addOneLine($1) }) else { return block(head, lead: [], lead + members) }
        let start = bytes.count
        if members.count <= 1, let rest = items(members, { $0.addOneLine($1) }) {
            bytes += head
            if leading.isEmpty, rest.isEmpty {
                add(" {}")
            } else {
                add(" { ")
                add(leading, separator: "; ")
                if !leading.isEmpty, !rest.isEmpty { add("; ") }
                add(rest, separator: "; ")
                add(" }")
            }
            if fits(from: start) { return finishLine(from: start) }
        }
        bytes += head
        add(" {")
        if !leading.isEmpty {
            add(" ")
            add(leading, separator: "; ")
        }
        if fits(from: start) {
            finishLine(from: start)
            level += 1
        } else {
            line(head, " {")
            level += 1
            fill(leading, separator: ";")
        }
        for member in members { print(member) }
        level -= 1
        close()
    }

    /// Makes a line of what was added after a place.
    mutating func finishLine(from start: Int) {
        if level > 0 { bytes.insert(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 4), at: start) }
        add("\n")
    }

    /// Adds a declaration without its comments and attributes, if it fits on one line and has none of them.
    mutating func addOneLine(_ declaration: SwiftDeclaration) -> Bool {
        switch declaration {
        case .function(let function): return function.head.isPlain && addOneLine(function)
        case .variable(let variable): return variable.head.isPlain && addOneLine(variable)
        case .enumCases(let head, let cases):
            guard head.isPlain else { return false }
            add("case ")
            add(cases, separator: ", ") { _ = $0.add($1) }
        case .typealias(let head, let name, let type):
            guard head.isPlain else { return false }
            addAlias(head, name, type)
        case .type, .extension, .line: return false
        }
        return true
    }

    /// Adds a variable without its comments and attributes, if it fits on one line.
    mutating func addOneLine(_ variable: SwiftVariable) -> Bool {
        // A plan is long, and its text is made once.
        if let value = variable.value, value.isLonger(than: Self.width) { return false }
        let start = bytes.count
        addStart(of: variable)
        if let value = variable.value {
            add(" = ")
            add(value)
        } else if !variable.setter.isEmpty {
            add(" { " + variable.getKeyword)
            let isShort = addBody(variable.getter)
            add(" " + variable.setKeyword)
            guard isShort, addBody(variable.setter) else {
                remove(from: start)
                return false
            }
            add(" }")
        } else if !variable.getter.isEmpty, !addBody(variable.getter) {
            remove(from: start)
            return false
        }
        return fits(from: start)
    }

    mutating func addStart(of variable: SwiftVariable) {
        add(variable.head)
        add(variable.isConstant ? "let " : "var ")
        add(name: variable.name)
        guard let type = variable.type else { return }
        add(": ")
        add(type)
    }

    mutating func print(_ variable: SwiftVariable) {
        comments(variable.head)
        let start = bytes.count
        if addOneLine(variable) { return finishLine(from: start) }
        if let value = variable.value {
            indent()
            addStart(of: variable)
            add(" = ")
            add(value)
            return add("\n")
        }
        let head = text { $0.addStart(of: variable) }
        if variable.getter.isEmpty { return line(head) }
        if variable.setter.isEmpty { return body(head, variable.getter) }
        line(head, " {")
        level += 1
        let place = bytes.count
        add(variable.getKeyword)
        let isShort = addBody(variable.getter)
        add(" " + variable.setKeyword)
        if isShort, addBody(variable.setter) {
            if fits(from: place) {
                finishLine(from: place)
                level -= 1
                return close()
            }
        } else {
            remove(from: place)
        }
        body(Array(variable.getKeyword.utf8), variable.getter)
        body(Array(variable.setKeyword.utf8), variable.setter)
        level -= 1
        close()
    }

    mutating func print(_ function: SwiftFunction) {
        comments(function.head)
        let start = bytes.count
        if addOneLine(function) { return finishLine(from: start) }
        if function.parameters.isEmpty {
            return body(
                text {
                    $0.addStart(of: function)
                    $0.add("()")
                    $0.addResult(of: function)
                }, function.body)
        }
        // The line of the first parameter begins with the start of the function, and that of the last one ends with its
        // end.
        let last = function.parameters.count - 1
        let parameters = items(Array(function.parameters.enumerated())) { printer, parameter in
            if parameter.offset == 0 {
                printer.addStart(of: function)
                printer.add("(")
            }
            printer.add(parameter.element)
            if parameter.offset == last {
                printer.add(")")
                printer.addResult(of: function)
            }
            return true
        }
        let lines = parameters.map { filled($0, at: level + 1) } ?? []
        let margin = Array("    ".utf8)
        for (index, text) in lines.dropLast().enumerated() { line(index == 0 ? text : margin + text) }
        body((lines.count > 1 ? margin : []) + (lines.last ?? []), function.body)
    }

    /// Adds a function without its comments and attributes, if it fits on one line.
    mutating func addOneLine(_ function: SwiftFunction) -> Bool {
        let start = bytes.count
        addStart(of: function)
        add("(")
        add(function.parameters, separator: ", ") { $0.add($1) }
        add(")")
        addResult(of: function)
        guard addBody(function.body) else {
            remove(from: start)
            return false
        }
        return fits(from: start)
    }

    mutating func addStart(of function: SwiftFunction) {
        add(function.head)
        switch function.kind {
        case .function(let name):
            add("func ")
            add(name: name)
        case .initializer: add("init")
        }
    }

    mutating func addResult(of function: SwiftFunction) {
        if let error = function.asyncError {
            add(" async throws(")
            add(error)
            add(")")
        }
        if let error = function.error {
            add(" throws(")
            add(error)
            add(")")
        }
        guard let result = function.result else { return }
        add(" -> ")
        add(result)
    }

    mutating func add(_ parameter: SwiftParameter) {
        switch parameter.label {
        case .sameAsName: break
        case .none: add("_ ")
        case .named(let label): add(SwiftName.label(label) + " ")
        }
        add(name: parameter.name)
        add(parameter.isInout ? ": inout " : ": ")
        add(parameter.type)
        guard let value = parameter.defaultValue else { return }
        add(" = ")
        add(value)
    }
}

extension SwiftVariable {
    fileprivate var setKeyword: String { isSetNonmutating ? "nonmutating set" : "set" }

    fileprivate var getKeyword: String { isSetOnly ? "@available(*, unavailable) get" : "get" }
}
