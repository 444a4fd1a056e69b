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
            let parts = items(arguments.filter { !$0.isTrailing }) { printer, argument in
                printer.add(argument)
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
        if let label = argument.label {
            add(SwiftName.label(label))
            add(": ")
        }
        add(argument.value)
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
