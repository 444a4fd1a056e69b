// The generic part of the reader, kept small because it is specialized in the generated code.

extension GeneratedCode.RecordReader {
    /// Reads an enum value.
    @inlinable
    public mutating func enumeration<Value: GraphQLEnum>(_ field: Int, _: Value.Type) -> Value? {
        guard let text = string(field) else { return nil }
        return Value(rawValue: text)
    }

    /// Reads a mapped scalar.
    @inlinable
    public mutating func scalar<Conversion: ScalarConversion>(_ field: Int, _: Conversion.Type) -> Conversion.Value? {
        Self.convert(mappedScalar(field), Conversion.self)
    }

    @inlinable
    static func convert<Conversion: ScalarConversion>(_ scalar: Scalar?, _: Conversion.Type) -> Conversion.Value? {
        switch scalar {
        case .converted(let value): value as? Conversion.Value
        case .json(let json): try? Conversion.decode(json)
        case nil: nil
        }
    }

    /// Reads an object; nil also if one of its non-null properties has no value.
    @inlinable
    public mutating func object<Value: GeneratedCode.Selections>(_ field: Int, _: Value.Type) -> Value? {
        let outer = current
        guard enterObject(field) else { return nil }
        guard let value = Value(&self) else {
            goBack(to: outer)
            missed(field)
            return nil
        }
        goBack(to: outer)
        return value
    }

    /// Reads the fields under a type condition; nil also if the record is of another type.
    @inlinable
    public mutating func inlineFragment<Value: GeneratedCode.Selections>(_ field: Int, _: Value.Type) -> Value? {
        let outer = current
        guard enterInlineFragment(field) else { return nil }
        let value = Value(&self)
        isFalling = false
        goBack(to: outer)
        return value
    }

    /// Reads a reference for a spread that may not match; nil if the record is of another type or a condition excludes
    /// the spread.
    @inlinable
    public mutating func fragment<Fragment: GraphQLFragment>(
        _ field: Int, _: Fragment.Type
    ) -> FragmentReference<Fragment>? {
        guard let target = spread(field) else { return nil }
        return FragmentReference(target)
    }

    /// Reads a reference for a spread that always matches.
    @inlinable
    public mutating func fragment<Fragment: GraphQLFragment>(
        _ field: Int, _: Fragment.Type
    ) -> FragmentReference<Fragment> {
        FragmentReference(currentTarget)
    }

    /// Reads a list of nullable items.
    @inlinable
    public mutating func list<Item>(_ field: Int, _ item: (inout Self) -> Item?) -> [Item?]? {
        let outer = listPlace
        return items(beginList(field), outer, item)
    }

    /// Reads a list of non-null items. Items that show a deleted record are left out; nil if another item has no value.
    @inlinable
    public mutating func requiredList<Item>(_ field: Int, _ item: (inout Self) -> Item?) -> [Item]? {
        let outer = listPlace
        let items = requiredItems(beginList(field), outer, item)
        if items == nil { missed(field) }
        return items
    }

    @inlinable
    mutating func items<Item>(
        _ count: Int, _ outer: (ListPlace, Int), _ item: (inout Self) -> Item?
    ) -> [Item?]? {
        guard count >= 0 else { return nil }
        var result: [Item?] = []
        result.reserveCapacity(count)
        for index in 0..<count {
            stand(on: index)
            result.append(item(&self))
            isFalling = false
        }
        endList(outer)
        return result
    }

    @inlinable
    mutating func requiredItems<Item>(
        _ count: Int, _ outer: (ListPlace, Int), _ item: (inout Self) -> Item?
    ) -> [Item]? {
        guard count >= 0 else { return nil }
        var result: [Item] = []
        result.reserveCapacity(count)
        for index in 0..<count {
            stand(on: index)
            if let value = item(&self) {
                result.append(value)
            } else if isFalling {
                isFalling = false
            } else {
                endList(outer)
                return nil
            }
        }
        endList(outer)
        return result
    }
}

// MARK: - The item of a list

extension GeneratedCode.RecordReader {
    /// Reads an enum value.
    @inlinable
    public mutating func enumeration<Value: GraphQLEnum>(_: Value.Type) -> Value? {
        guard let text = string() else { return nil }
        return Value(rawValue: text)
    }

    /// Reads a mapped scalar.
    @inlinable
    public mutating func scalar<Conversion: ScalarConversion>(_: Conversion.Type) -> Conversion.Value? {
        Self.convert(mappedScalarItem(), Conversion.self)
    }

    /// Reads an object; nil also if one of its non-null properties has no value.
    @inlinable
    public mutating func object<Value: GeneratedCode.Selections>(_: Value.Type) -> Value? {
        let outer = current
        guard enterItem() else { return nil }
        let value = Value(&self)
        goBack(to: outer)
        return value
    }

    /// Reads a list of nullable items.
    @inlinable
    public mutating func list<Item>(_ item: (inout Self) -> Item?) -> [Item?]? {
        let outer = listPlace
        return items(beginInnerList(), outer, item)
    }

    /// Reads a list of non-null items. Items that show a deleted record are left out; nil if another item has no value.
    @inlinable
    public mutating func requiredList<Item>(_ item: (inout Self) -> Item?) -> [Item]? {
        let outer = listPlace
        return requiredItems(beginInnerList(), outer, item)
    }
}
