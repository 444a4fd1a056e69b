/// The bodies of functions and computed properties.
extension SwiftPrinter {
    mutating func body(_ head: [UInt8], _ statements: [SwiftStatement]) {
        let start = bytes.count
        bytes += head
        if addBody(statements) {
            if fits(from: start) { return finishLine(from: start) }
        } else {
            remove(from: start)
        }
        if statements.count == 1, case .choice(let choices, let otherwise) = statements[0] {
            line(head, " {")
            level += 1
            fill(branches(choices, otherwise), separator: "")
            level -= 1
            return close()
        }
        if statements.count == 1, case .switch(let subject, let cases) = statements[0] {
            // The line of the first case begins with the start of the function.
            let opening = text { opening in
                opening.bytes += head
                opening.add(" { switch ")
                opening.add(subject)
                opening.add(" {")
            }
            if cases.isEmpty { line(opening) }
            let texts = items(Array(cases.enumerated())) { printer, item in
                if item.offset == 0 { printer.bytes += opening + Array(" ".utf8) }
                printer.add(item.element)
                return true
            }
            if let texts { fill(texts, separator: ";") }
            close()
            return close()
        }
        line(head, " {")
        level += 1
        if let texts = items(statements, { $0.addShort($1) }) {
            fill(texts, separator: ";")
        } else {
            for statement in statements { print(statement) }
        }
        level -= 1
        close()
    }

    /// Adds statements in braces after a head; false if one of them needs lines of its own.
    mutating func addBody(_ statements: [SwiftStatement]) -> Bool {
        if statements.isEmpty {
            add(" {}")
            return true
        }
        add(" { ")
        for (index, statement) in statements.enumerated() {
            if index > 0 { add("; ") }
            guard addShort(statement) else { return false }
        }
        add(" }")
        return true
    }

    /// Adds a statement; false, and nothing is added, if it needs lines of its own.
    mutating func addShort(_ statement: SwiftStatement) -> Bool {
        switch statement {
        case .expression(let value): add(value)
        case .assignment(let target, let value):
            add(target)
            add(" = ")
            add(value)
        case .variable(let name, let value):
            add("var ")
            add(name: name)
            add(" = ")
            add(value)
        case .return(let value):
            add("return ")
            add(value)
        case .choice(let choices, let otherwise): add(branches(choices, otherwise), separator: " ")
        case .switch: return false
        }
        return true
    }

    func branches(_ choices: [SwiftStatement.Choice], _ otherwise: SwiftExpression) -> Items {
        var items = Items(printer: SwiftPrinter(level: level))
        for (index, choice) in choices.enumerated() {
            if index > 0 { items.printer.add("else ") }
            items.printer.add("if let \(choice.binding) = ")
            items.printer.add(choice.value)
            items.printer.add(" { ")
            items.printer.add(choice.body)
            items.printer.add(" }")
            items.ends.append(items.printer.bytes.count)
        }
        items.printer.add("else { ")
        items.printer.add(otherwise)
        items.printer.add(" }")
        items.ends.append(items.printer.bytes.count)
        return items
    }

    mutating func print(_ statement: SwiftStatement) {
        guard case .switch(let subject, let cases) = statement else {
            indent()
            _ = addShort(statement)
            return add("\n")
        }
        indent()
        add("switch ")
        add(subject)
        add(" {\n")
        let texts = items(cases) { printer, item in
            printer.add(item)
            return true
        }
        if let texts { fill(texts, separator: ";") }
        close()
    }

    mutating func add(_ item: SwiftSwitchCase) {
        switch item.pattern {
        case .expression(let value):
            add("case ")
            add(value)
        case .payload(let name, let binding):
            add("case .")
            add(name: name)
            add("(let \(binding))")
        case .otherwise: add("default")
        }
        add(": ")
        if !addShort(item.body) { add("break") }
    }
}
