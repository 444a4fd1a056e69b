extension GeneratedCode {
    /// An item of a list in a ``WritablePlace``. Each method returns nil for null, and for a value of another type.
    public struct WritableItem {
        let value: Value

        /// A `String`, an `ID` or a scalar without a mapping.
        public func string() -> String? { if case .string(let text) = value { text } else { nil } }

        /// An `Int`.
        public func int() -> Int? { if case .int(let number) = value { number } else { nil } }

        /// A `Float`.
        public func double() -> Double? {
            switch value {
            case .double(let number): number
            case .int(let number): Double(number)
            default: nil
            }
        }

        /// A `Boolean`.
        public func bool() -> Bool? { if case .bool(let holds) = value { holds } else { nil } }

        /// An enum value.
        public func enumeration<Value: GraphQLEnum>(_: Value.Type) -> Value? { string().map { Value(rawValue: $0) } }

        /// A mapped scalar.
        public func scalar<Conversion: ScalarConversion>(_: Conversion.Type) -> Conversion.Value? {
            if case .scalar(let scalar) = value { return scalar.value(by: Conversion.self) }
            let json = value.json { _ in "" }
            return json == .null ? nil : try? Conversion.decode(json)
        }

        /// A list whose items cannot be null.
        public func list<Item>(_ item: (WritableItem) -> Item?) -> [Item]? {
            guard case .list(let values) = value else { return nil }
            var items: [Item] = []
            for value in values {
                guard let item = item(.init(value: value)) else { return nil }
                items.append(item)
            }
            return items
        }

        /// A list whose items can be null.
        public func optionalList<Item>(_ item: (WritableItem) -> Item?) -> [Item?]? {
            guard case .list(let values) = value else { return nil }
            return values.map { item(.init(value: $0)) }
        }
    }

    /// The readable selections of a definition that can only be written: none.
    public struct NoSelections: Selections {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The row of the object.
        public let __row: Row
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// Wraps a row.
        public init(__row: Row) { self.__row = __row }
    }
}

extension GeneratedCode.WritablePlace {
    /// A list whose items cannot be null; nil if an item is null nevertheless.
    public func list<Item>(_ field: Int, _ item: (GeneratedCode.WritableItem) -> Item?) -> [Item]? {
        items(field)?.list(item)
    }

    /// A list whose items can be null.
    public func optionalList<Item>(_ field: Int, _ item: (GeneratedCode.WritableItem) -> Item?) -> [Item?]? {
        items(field)?.optionalList(item)
    }
}
