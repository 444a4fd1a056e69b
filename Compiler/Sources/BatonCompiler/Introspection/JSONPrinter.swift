import BatonDiagnostics

/// Prints JSON with a line for each member and item.
struct JSONPrinter {
    private(set) var output = ""
    private var indentation = 0

    mutating func open(_ bracket: String) {
        output += bracket
        indentation += 1
    }

    mutating func close(_ bracket: String) {
        indentation -= 1
        newLine()
        output += bracket
    }

    mutating func key(_ key: String, isFirst: Bool) {
        if !isFirst { output += "," }
        newLine()
        output += key.quoted(in: .json) + ": "
    }

    mutating func append(_ node: JSONNode) {
        switch node.value {
        case .null: output += "null"
        case .boolean(let flag): output += flag ? "true" : "false"
        case .number(let text): output += text
        case .string(let text): output += text.quoted(in: .json)
        case .array(let items) where items.isEmpty: output += "[]"
        case .object(let members) where members.isEmpty: output += "{}"
        case .array(let items):
            open("[")
            for (index, item) in items.enumerated() {
                if index > 0 { output += "," }
                newLine()
                append(item)
            }
            close("]")
        case .object(let members):
            open("{")
            for (index, member) in members.enumerated() {
                key(member.key, isFirst: index == 0)
                append(member.node)
            }
            close("}")
        }
    }

    private mutating func newLine() { output += "\n" + String(repeating: "  ", count: indentation) }
}
