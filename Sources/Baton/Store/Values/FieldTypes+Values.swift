// Scalars have several owners, this one for updates; ReadingTheDesign.md names the others.

extension FieldTypes.Known {
    /// True for a scalar without a mapping, and for lists of it.
    var isUnmapped: Bool { if case .unmappedScalar = type.named { true } else { false } }

    /// Returns true if a reader of this type can take a value.
    func accepts(_ value: Value) -> Bool { accepts(value, type) }

    /// Returns true if a reader of `type` can take a value. The recursion is bounded by the number of lists in the
    /// type.
    private func accepts(_ value: borrowing Value, _ type: SelectionPlan.FieldType) -> Bool {
        switch type {
        case .nonNull(let inner):
            if case .null = copy value { return false }
            return accepts(value, inner)
        case .list(let item):
            switch copy value {
            case .null: return true
            case .links(let links):
                // An empty list may be written as a list of either kind.
                return links.isEmpty
                    || accepts(.link(.root), item) && (!links.contains(.none) || accepts(.null, item))
            case .list(let values): return values.allSatisfy { accepts($0, item) }
            default: return false
            }
        case .named(let name): return accepts(value, name)
        }
    }

    private func accepts(_ value: borrowing Value, _ type: SelectionPlan.NamedType) -> Bool {
        let kind = value.kind
        if kind == .null { return true }
        switch type {
        case .int: return kind == .int
        case .float: return kind == .int || kind == .double
        case .boolean: return kind == .bool
        case .string, .enumeration: return kind == .string
        case .id: return kind == .string || kind == .int
        case .object, .abstract: return kind == .link
        // An unmapped scalar is read as its JSON, which may be of any kind.
        case .unmappedScalar: return kind != .link && kind != .links
        case .mappedScalar:
            if kind == .scalar { return true }
            guard kind != .link, kind != .links else { return false }
            guard let decoder else { return true }
            return (try? decoder.decode(value.json { _ in "" })) != nil
        }
    }

    /// Returns a JSON value with the mapped scalars in it converted; nil if the type is not that of a mapped scalar, or
    /// if the value is not of the type.
    func converted(_ json: JSONValue) -> Value? { decoder.flatMap { converted(json, type, $0) } }

    private func converted(
        _ json: JSONValue, _ type: SelectionPlan.FieldType, _ decoder: GeneratedCode.ScalarDecoder
    ) -> Value? {
        switch type {
        case .nonNull(let inner): return json == .null ? nil : converted(json, inner, decoder)
        case _ where json == .null: return .null
        case .list(let item):
            guard case .array(let items) = json else { return nil }
            var values: [Value] = []
            for json in items {
                guard let value = converted(json, item, decoder) else { return nil }
                values.append(value)
            }
            return .list(values)
        case .named:
            guard let value = try? decoder.decode(json) else { return nil }
            return .scalar(ConvertedScalar(value: value, json: json))
        }
    }
}
