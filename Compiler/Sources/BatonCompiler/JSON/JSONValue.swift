import BatonDiagnostics

/// A JSON value without places, as it is written and sent; ``JSONNode`` is what a file has.
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A number that does not fit into `Int`, as it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Reads the bytes of a message. Nesting is limited.
    package init(parsing bytes: [UInt8]) throws(JSONParser.Mistake) {
        self.init(try JSONParser.parse(bytes).get())
    }

    init(_ node: JSONNode) {
        switch node.value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .number(let text): self = Int(text).map { .integer($0) } ?? .number(text)
        case .string(let text): self = .string(text)
        case .array(let nodes): self = .array(nodes.map { JSONValue($0) })
        case .object(let members): self = .object(members.map { Member(key: $0.key, value: JSONValue($0.node)) })
        }
    }

    // MARK: - Reading

    /// The value of a key; nil if the value is no object or has no such key.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The value at the end of a path of keys.
    package func at(_ path: String...) -> JSONValue? {
        path.reduce(self) { value, key in value?[key] }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    // MARK: - Writing

    /// The text of the value, on one line.
    package var text: String {
        var output = ""
        write(to: &output, indentation: nil)
        return output
    }

    /// The text of the value, with a line for each member and item.
    package var indentedText: String {
        var output = ""
        write(to: &output, indentation: 0)
        return output
    }

    private func write(to output: inout String, indentation: Int?) {
        let inner = indentation.map { $0 + 1 }
        func begin(_ index: Int, _ output: inout String) {
            if index > 0 { output += "," }
            breakLine(inner, &output)
        }
        func breakLine(_ indentation: Int?, _ output: inout String) {
            if let indentation { output += "\n" + String(repeating: "  ", count: indentation) }
        }
        switch self {
        case .null: output += "null"
        case .boolean(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        case .number(let text): output += text
        case .string(let text): output += text.quoted(in: .json)
        case .array(let values):
            output += "["
            for (index, value) in values.enumerated() {
                begin(index, &output)
                value.write(to: &output, indentation: inner)
            }
            if !values.isEmpty { breakLine(indentation, &output) }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.enumerated() {
                begin(index, &output)
                output += member.key.quoted(in: .json) + (inner == nil ? ":" : ": ")
                member.value.write(to: &output, indentation: inner)
            }
            if !members.isEmpty { breakLine(indentation, &output) }
            output += "}"
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }

    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(nilLiteral: ()) { self = .null }

    /// An object with one more member, which is left out if the value is nil.
    package func with(_ key: String, _ value: JSONValue?) -> JSONValue {
        guard let value, case .object(let members) = self else { return self }
        return .object(members + [Member(key: key, value: value)])
    }
}
