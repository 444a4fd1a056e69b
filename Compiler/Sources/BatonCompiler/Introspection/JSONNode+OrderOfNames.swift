import BatonDiagnostics
import BatonSyntax

extension JSONNode {
    /// The keys that come first in an object, in this order.
    private static let firstKeys = ["kind", "name", "description"]

    /// The value with the keys of objects in a fixed order, lists in the order of the names in them, and the fields of
    /// default values in the order of theirs. The parser limits how deep values are nested.
    var inOrderOfNames: JSONValue {
        switch value {
        case .null, .boolean, .number, .string: return JSONValue(self)
        case .array(let items):
            let sorted = items.map { (key: $0.sortingKey, value: $0.inOrderOfNames) }.sorted { $0.key < $1.key }
            return .array(sorted.map(\.value))
        case .object(let members):
            let sorted = members.map { member in
                let value = member.key == "defaultValue" ? member.node.asDefaultValue : member.node.inOrderOfNames
                return JSONValue.Member(key: member.key, value: value)
            }
            .sorted { left, right in
                let places = [left, right].map { Self.firstKeys.firstIndex(of: $0.key) ?? Self.firstKeys.count }
                return (places[0], left.key) < (places[1], right.key)
            }
            return .object(sorted)
        }
    }

    /// What an item is sorted by: its text, or its name.
    private var sortingKey: String { text ?? self["name"]?.text ?? "" }

    private var asDefaultValue: JSONValue {
        guard let text, text.contains("{"), let value = Parser.parseConstant(text, in: span.source) else {
            return JSONValue(self)
        }
        return .string(Printer.print(value.inOrderOfNames))
    }
}
