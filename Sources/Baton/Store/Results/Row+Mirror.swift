// The text of a result for a debugger, `dump` and `print`, which show fields and not words. A field that was caught as
// null is null. Errors that were caught replace the value.

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
        return (0..<itemCount).flatMap { field -> [Mirror.Child] in
            let index = item(field)
            switch (plan.items[index].kind, shown(at: field)) {
            case (.excluded, _), (.spread, _): return []
            case (.inline, .object(let row)): return row.children
            case (.inline, .caught(let errors)): return [(label(of: plan.items[index]), errors)]
            case (.inline, _): return []
            case (.leaf, let shown), (.dataID, let shown), (.composite, let shown):
                return [(plan.responseKeys[index], Self.shown(shown))]
            }
        }
    }

    /// Returns the name of an item. An inline fragment whose errors were caught is named by its type condition, as in
    /// the document.
    private func label(of item: BoundPlan.Item) -> String {
        item.condition.map { "... on \(shelf.plan.names.name(of: $0))" } ?? "..."
    }

    private static func shown(_ shown: Shown) -> Any {
        switch shown {
        case .nothing, .reference: Optional<Any>.none as Any
        case .leaf(let value): Self.shown(value)
        case .object(let row): row
        case .objects(let list): list.shown
        case .caught(let errors): errors
        }
    }

    private static func shown(_ value: Value) -> Any {
        switch value {
        // An empty list may have been written as a list of links.
        case .links(let links) where links.isEmpty: [Any]()
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
