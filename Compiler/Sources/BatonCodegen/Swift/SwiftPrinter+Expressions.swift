/// Expressions and types, on one line but for the arguments of plans.
extension SwiftPrinter {
    mutating func add(_ expression: SwiftExpression) {
        switch expression {
        case .name(let name): add(name: name)
        case .selfReference: add("self")
        case .string(let value): SwiftLiteral.add(value, to: &bytes)
        case .integer(let value): add(String(value))
        case .nil: add("nil")
        case .initializer: add(".init")
        case .array(let values):
            add("[")
            add(values, separator: ", ") { $0.add($1) }
            add("]")
        case .member(let base, let name):
            if let base { add(base) }
            add(".")
            add(name: name)
        case .subscript(let base, let index):
            add(base)
            add("[")
            add(index, separator: ", ") { $0.add($1) }
            add("]")
        case .metatype(let type):
            add(type)
            add(".self")
        case .type(let type): add(type)
        case .closure(let body):
            add("{ ")
            add(body)
            add(" }")
        case .tried(let value):
            add("try ")
            add(value)
        case .coalesce(let left, let right):
            add(left)
            add(" ?? ")
            add(right)
        case .awaited(let expression):
            add("try await ")
            add(expression)
        case .call(let function, let arguments, let layout): call(function, arguments, layout)
        }
    }

    mutating func call(_ function: SwiftExpression, _ arguments: [SwiftArgument], _ layout: SwiftLayout) {
        add(function)
        let hasParts = arguments.contains { !$0.isTrailing }
        if layout == .block, hasParts {
            let own = arguments.filter { !$0.isTrailing }.flatMap { self.parts(of: $0) }
            let parts = items(own) { printer, part in
                printer.add(part)
                return true
            }
            let lines = parts.map { filled($0, at: level + 1) } ?? []
            add("(")
            for (index, text) in lines.enumerated() {
                if index > 0 || text.count > Self.width / 2 {
                    add("\n    ")
                    indent()
                }
                bytes += text
            }
            add(")")
        } else if hasParts || arguments.isEmpty {
            add("(")
            add(arguments.lazy.filter { !$0.isTrailing }, separator: ", ") { $0.add($1) }
            add(")")
        }
        for argument in arguments where argument.isTrailing {
            add(" ")
            add(argument.value)
        }
    }

    mutating func add(_ argument: SwiftArgument) {
        add(label: argument.label)
        add(argument.value)
    }

    private mutating func add(label: String?) {
        guard let label else { return }
        add(SwiftName.label(label))
        add(": ")
    }

    /// A part of the arguments of a call that stays on one line: an argument, or an item of a long list with what
    /// stands before and after it.
    private struct Part {
        var label: String?
        var value: SwiftExpression
        var opens = false
        var closes = false
    }

    private mutating func add(_ part: Part) {
        add(label: part.label)
        if part.opens { add("[") }
        add(part.value)
        if part.closes { add("]") }
    }

    /// The parts of an argument. A list of texts that is longer than a line is filled like the arguments themselves.
    private func parts(of argument: SwiftArgument) -> [Part] {
        guard case .array(let values) = argument.value, values.allSatisfy(\.isText),
            (level + 1) * 4 + text({ $0.add(argument) }).count > Self.width
        else { return [Part(label: argument.label, value: argument.value)] }
        return values.indices.map { index in
            Part(
                label: index == 0 ? argument.label : nil, value: values[index], opens: index == 0,
                closes: index + 1 == values.count)
        }
    }

    mutating func add(_ type: SwiftType) {
        switch type {
        case .named(let name):
            guard name.utf8.contains(UInt8(ascii: ".")) else { return add(name: name) }
            add(name.utf8.split(separator: UInt8(ascii: ".")), separator: ".") { $0.add(name: String(Substring($1))) }
        case .optional(let inner):
            add(inner)
            add("?")
        case .array(let item):
            add("[")
            add(item)
            add("]")
        case .generic(let name, let arguments):
            add(name)
            add("<")
            add(arguments, separator: ", ") { $0.add($1) }
            add(">")
        case .unwrapped(let inner):
            add(inner)
            add("!")
        case .change(let inner):
            add("(inout ")
            add(inner)
            add(") -> Void")
        }
    }
}
