import BatonDiagnostics
import BatonSyntax

extension IntrospectionReader {
    /// The `name` of an object. Any text that is not a GraphQL name is reported.
    mutating func name(_ node: JSONNode) -> Name? {
        guard let place = present(node, "name") else {
            report("a 'name' is missing here", node)
            return nil
        }
        guard let text = string(node, "name") else { return nil }
        let isName =
            text.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        guard isName else {
            report("'\(text)' is no name in GraphQL", place)
            return nil
        }
        return Name(text, span: place.span)
    }

    /// The `name` of an enum value, which must not be a literal of another kind.
    mutating func enumName(_ node: JSONNode) -> Name? {
        guard let name = name(node) else { return nil }
        guard ["false", "null", "true"].contains(name.text) else { return name }
        report("an enum value cannot be '\(name.text)'", node["name"] ?? node)
        return nil
    }

    /// The value of a key; nil if the key is missing or null.
    func present(_ node: JSONNode, _ key: String) -> JSONNode? {
        guard let value = node[key], value.value != .null else { return nil }
        return value
    }

    mutating func string(_ node: JSONNode, _ key: String) -> String? {
        guard let value = present(node, key) else { return nil }
        if case .string(let text) = value.value { return text }
        report("'\(key)' must be a string, not \(value.kind)", value)
        return nil
    }

    mutating func list(_ node: JSONNode, _ key: String) -> [JSONNode] {
        guard let value = present(node, key) else { return [] }
        if case .array(let items) = value.value { return items }
        report("'\(key)' must be a list, not \(value.kind)", value)
        return []
    }

    // MARK: - Diagnostics

    mutating func report(_ message: String, _ node: JSONNode, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(.introspection, message, at: short(node.span), suggestion: suggestion))
    }

    /// Reports a mistake of a server from which clients take no harm.
    mutating func warn(_ message: String, _ node: JSONNode) {
        diagnostics.append(
            Diagnostic(.introspectionDefect, severity: .warning, message, at: short(node.span))
        )
    }

    /// Shortens a long span to its first character.
    func short(_ span: Span) -> Span {
        span.range.count > 80 ? Span(source: span.source, start: span.start, end: span.start + 1) : span
    }
}
