// What a debugger, `dump` and `print` show of a result: fields, not words.

extension GeneratedCode.Row {
    /// A mirror of a generated struct with its fields by their response keys.
    func mirror(of subject: some GeneratedCode.Selections) -> Mirror {
        Mirror(subject, children: children, displayStyle: .struct)
    }

    private var children: [Mirror.Child] {
        let plan = shelf.plan
        return (0..<plan.nodes[Int(node)].count).flatMap { field -> [Mirror.Child] in
            let index = item(field)
            switch plan.items[index].kind {
            case .excluded, .spread: return []
            case .inline: return child(field)?.children ?? []
            case .leaf, .composite: return [(plan.responseKeys[index], shown(field))]
            }
        }
    }

    private func shown(_ field: Int) -> Any {
        let index = item(field)
        guard shelf.plan.items[index].kind == .composite else {
            return Self.shown(shelf.layout.words[index] == 0 ? value(field)?.pointee ?? .null : leaf(field))
        }
        if shelf.plan.types[index].listDepth > 0 { return list(of: field)?.shown ?? Optional<Any>.none as Any }
        return child(field).map { ShownObject(row: $0) } ?? Optional<Any>.none as Any
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

    /// An object as a mirror shows it.
    fileprivate struct ShownObject: CustomReflectable, CustomStringConvertible {
        let row: GeneratedCode.Row

        var customMirror: Mirror { Mirror(self, children: row.children, displayStyle: .struct) }
        var description: String {
            "(" + row.children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: ", ") + ")"
        }
    }
}

extension GeneratedCode.RowList {
    fileprivate var shown: [Any] {
        (0..<count).map { position -> Any in
            if depth > 1 { return list(position)?.shown ?? Optional<Any>.none as Any }
            return row(position).map { GeneratedCode.Row.ShownObject(row: $0) } ?? Optional<Any>.none as Any
        }
    }
}
