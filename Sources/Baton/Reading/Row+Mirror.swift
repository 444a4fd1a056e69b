// What a debugger, `dump` and `print` show of a result: fields, not words.

extension GeneratedCode.Row: CustomReflectable {
    /// A mirror of the fields by their response keys.
    public var customMirror: Mirror { Mirror(self, children: children, displayStyle: .struct) }
}

extension GeneratedCode.Row: CustomStringConvertible {
    /// The fields by their response keys.
    public var description: String {
        "(" + children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: ", ") + ")"
    }
}

extension GeneratedCode.Row {
    private var children: [Mirror.Child] {
        let plan = shelf.plan
        return (0..<plan.nodes[Int(node)].count).flatMap { field -> [Mirror.Child] in
            let index = item(field)
            switch plan.items[index].kind {
            case .excluded, .spread: return []
            case .inline: return child(field)?.children ?? []
            case .leaf, .dataID, .composite: return [(plan.responseKeys[index], shown(field))]
            }
        }
    }

    private func shown(_ field: Int) -> Any {
        let index = item(field)
        guard shelf.plan.items[index].kind == .composite else {
            return Self.shown(shelf.layout.words[index] == 0 ? value(field)?.pointee ?? .null : leaf(field))
        }
        if shelf.plan.types[index].listDepth > 0 { return list(of: field)?.shown ?? Optional<Any>.none as Any }
        return child(field) ?? Optional<Any>.none as Any
    }

    private static func shown(_ value: Value) -> Any {
        switch value {
        case .null, .link, .links: Optional<Any>.none as Any
        case .bool(let value): value
        case .int(let value): value
        case .double(let value): value
        case .string(let value): value
        case .list(let values): values.map(shown)
        case .scalar(let scalar): scalar.value
        }
    }
}

extension GeneratedCode.RowList {
    fileprivate var shown: [Any] {
        (0..<count).map { position -> Any in
            if depth > 1 { return list(position)?.shown ?? Optional<Any>.none as Any }
            return row(position) ?? Optional<Any>.none as Any
        }
    }
}
