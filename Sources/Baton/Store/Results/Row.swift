extension GeneratedCode {
    /// An object of a read result.
    ///
    /// The row points at the object's values in the store and at the words that the read has written for the object. It
    /// keeps both alive, and neither ever changes.
    ///
    /// The methods read a field by its position in the selection set. Those whose names begin with `optional` return
    /// nil for a value that is null, missing or excluded by a condition. For the other methods the read has made sure
    /// that there is a value.
    public struct Row: @unchecked Sendable {
        // The pointers belong to the shelf. Without them, each access to a field would take twice the time (benchmark
        // `read.touch-vs-foundation`).
        let shelf: Shelf
        private let values: UnsafePointer<Value>
        private let positions: UnsafePointer<Int32>
        /// The place of the object's words.
        let index: UInt32
        @usableFromInline let node: UInt32

        @inline(__always)
        init(_ shelf: Shelf, at index: Int, node: Int) {
            let place = shelf.words[index &+ 1]
            let cell = shelf.cells + Int(place >> Shelf.rowBits)
            self.shelf = shelf
            let row = Int(place & (1 << Shelf.rowBits &- 1))
            values = cell.pointee.values + row &* Int(cell.pointee.width)
            positions = cell.pointee.positions
            self.index = UInt32(truncatingIfNeeded: index)
            self.node = UInt32(truncatingIfNeeded: node)
        }

        /// Makes a row without an object, for a null or a list among the elements of a list.
        init(_ shelf: Shelf, index: UInt32, node: UInt32) {
            self.shelf = shelf
            // Such a row has no fields, so neither pointer is ever followed.
            values = UnsafePointer(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped
            positions = UnsafePointer(bitPattern: MemoryLayout<Int32>.alignment).unsafelyUnwrapped
            self.index = index
            self.node = node
        }

        /// The values of the object in the store. Two rows with the same place have the same values.
        var place: UnsafePointer<Value> { values }

        /// The record from which the object was read.
        var record: RecordID { shelf.record(at: Int(index)) }

        /// The position of an item in the plan.
        @inline(__always)
        func item(_ field: Int) -> Int { shelf.plan.nodes[Int(node)].first &+ field }

        /// The item's word; 0 if it has none.
        @inline(__always)
        func word(_ field: Int) -> Int {
            let word = Int(shelf.layout.words[item(field)])
            return word == 0 ? 0 : Int(shelf.words[Int(index) &+ word])
        }

        /// Returns the value of a field; nil if it is missing or excluded.
        @inline(__always)
        func value(_ field: Int) -> UnsafePointer<Value>? {
            let position = positions[field]
            return position >= 0 ? values + Int(position) : nil
        }

        /// Returns the value of a scalar that the read has checked or converted.
        func leaf(_ field: Int) -> Value {
            let word = UInt32(truncatingIfNeeded: word(field))
            if word == Shelf.noLeaf { return .null }
            if word >= Shelf.firstConverted {
                return shelf.rest.converted[Int(word &- Shelf.firstConverted)]
            }
            return value(field)?.pointee ?? .null
        }

        /// The name of the object's type.
        public var typename: String {
            let place = shelf.words[Int(index) &+ 1]
            let block = shelf.cells[Int(place >> Shelf.rowBits)].block
            return shelf.plan.names.name(of: block._withUnsafeGuaranteedRef { $0.type })
        }
    }
}

// MARK: - Scalars

extension GeneratedCode.Row {
    /// Reads a `String`, an `ID` or a scalar without a mapping.
    public func string(_ field: Int) -> String {
        guard let value = value(field) else { return "" }
        if case .string(let text) = value.pointee { return text }
        return value.pointee.text ?? ""
    }

    /// Reads a `String`, an `ID` or a scalar without a mapping.
    public func optionalString(_ field: Int) -> String? {
        guard let value = value(field) else { return nil }
        if case .string(let text) = value.pointee { return text }
        return value.pointee.text
    }

    /// Reads an `Int`.
    public func int(_ field: Int) -> Int { optionalInt(field) ?? 0 }

    /// Reads an `Int`.
    public func optionalInt(_ field: Int) -> Int? {
        guard let value = value(field), case .int(let number) = value.pointee else { return nil }
        return number
    }

    /// Reads a `Float`.
    public func double(_ field: Int) -> Double { optionalDouble(field) ?? 0 }

    /// Reads a `Float`.
    public func optionalDouble(_ field: Int) -> Double? {
        guard let value = value(field) else { return nil }
        switch value.pointee {
        case .double(let number): return number
        case .int(let number): return Double(number)
        default: return nil
        }
    }

    /// Reads a `Boolean`.
    public func bool(_ field: Int) -> Bool { optionalBool(field) ?? false }

    /// Reads a `Boolean`.
    public func optionalBool(_ field: Int) -> Bool? {
        guard let value = value(field), case .bool(let holds) = value.pointee else { return nil }
        return holds
    }

    /// Reads an enum value.
    public func enumeration<Enum: GraphQLEnum>(_ field: Int) -> Enum { Enum(rawValue: string(field)) }

    /// Reads an enum value.
    public func optionalEnumeration<Enum: GraphQLEnum>(_ field: Int) -> Enum? {
        optionalString(field).map { Enum(rawValue: $0) }
    }

    /// Reads the data ID of the record, Relay's `__id`.
    public func dataID(_ field: Int) -> String { optionalDataID(field) ?? "" }

    /// Reads the data ID of the record, Relay's `__id`.
    public func optionalDataID(_ field: Int) -> String? {
        if case .string(let text) = leaf(field) { text } else { nil }
    }

    /// Reads a mapped scalar.
    public func scalar<Conversion: ScalarConversion>(_ field: Int, _: Conversion.Type) -> Conversion.Value {
        guard let value = mappedScalar(field) as? Conversion.Value else { GeneratedCode.failedRead() }
        return value
    }

    /// Reads a mapped scalar.
    public func optionalScalar<Conversion: ScalarConversion>(_ field: Int, _: Conversion.Type) -> Conversion.Value? {
        mappedScalar(field) as? Conversion.Value
    }

    private func mappedScalar(_ field: Int) -> (any Sendable)? {
        if case .scalar(let scalar) = leaf(field) { scalar.value } else { nil }
    }

    /// Reads a list of scalars.
    @inlinable
    public func list<Item>(_ field: Int, _ item: (GeneratedCode.ListItem) -> Item) -> [Item] {
        optionalList(field, item) ?? []
    }

    /// Reads a list of scalars.
    @inlinable
    public func optionalList<Item>(_ field: Int, _ item: (GeneratedCode.ListItem) -> Item) -> [Item]? {
        GeneratedCode.ListItem(list(field)).optionalList(item)
    }

    @usableFromInline
    func list(_ field: Int) -> Value {
        if shelf.layout.words[item(field)] != 0 { return leaf(field) }
        return value(field)?.pointee ?? .null
    }
}

extension GeneratedCode {
    /// An item of a list of scalars. The methods are those of ``GeneratedCode/Row`` without a position.
    public struct ListItem: Sendable {
        @usableFromInline let value: Value

        @usableFromInline
        init(_ value: Value) { self.value = value }

        /// Reads a `String`, an `ID` or a scalar without a mapping.
        public func string() -> String { value.text ?? "" }
        /// Reads a `String`, an `ID` or a scalar without a mapping.
        public func optionalString() -> String? { value.text }
        /// Reads an `Int`.
        public func int() -> Int { optionalInt() ?? 0 }
        /// Reads an `Int`.
        public func optionalInt() -> Int? { if case .int(let number) = value { number } else { nil } }
        /// Reads a `Float`.
        public func double() -> Double { optionalDouble() ?? 0 }
        /// Reads a `Float`.
        public func optionalDouble() -> Double? {
            switch value {
            case .double(let number): number
            case .int(let number): Double(number)
            default: nil
            }
        }
        /// Reads a `Boolean`.
        public func bool() -> Bool { optionalBool() ?? false }
        /// Reads a `Boolean`.
        public func optionalBool() -> Bool? { if case .bool(let holds) = value { holds } else { nil } }
        /// Reads an enum value.
        @inlinable
        public func enumeration<Enum: GraphQLEnum>() -> Enum { Enum(rawValue: string()) }
        /// Reads an enum value.
        @inlinable
        public func optionalEnumeration<Enum: GraphQLEnum>() -> Enum? { optionalString().map { Enum(rawValue: $0) } }
        /// Reads a mapped scalar.
        @inlinable
        public func scalar<Conversion: ScalarConversion>(_: Conversion.Type) -> Conversion.Value {
            guard let value = mappedScalar() as? Conversion.Value else { GeneratedCode.failedRead() }
            return value
        }
        /// Reads a mapped scalar.
        @inlinable
        public func optionalScalar<Conversion: ScalarConversion>(_: Conversion.Type) -> Conversion.Value? {
            mappedScalar() as? Conversion.Value
        }

        @usableFromInline
        func mappedScalar() -> (any Sendable)? {
            if case .scalar(let scalar) = value { scalar.value } else { nil }
        }

        /// Reads a list.
        @inlinable
        public func list<Item>(_ item: (ListItem) -> Item) -> [Item] { optionalList(item) ?? [] }
        /// Reads a list.
        @inlinable
        public func optionalList<Item>(_ item: (ListItem) -> Item) -> [Item]? {
            items?.map { item(ListItem($0)) }
        }

        @usableFromInline
        var items: [Value]? {
            switch value {
            case .list(let items): items
            // An empty list may have been written as a list of links.
            case .links(let links): links.isEmpty ? [] : nil
            default: nil
            }
        }
    }
}

// MARK: - Objects

extension GeneratedCode.Row {
    @usableFromInline
    func child(_ field: Int) -> GeneratedCode.Row? {
        let word = word(field)
        return word == 0 ? nil : GeneratedCode.Row(shelf, at: word, node: Int(shelf.plan.items[item(field)].child))
    }

    /// Reads an object.
    @inlinable
    public func object<Object: GeneratedCode.SelectionSet>(_ field: Int) -> Object {
        guard let row = child(field) else { GeneratedCode.failedRead() }
        return Object(__row: row)
    }

    /// Reads an object.
    @inlinable
    public func optionalObject<Object: GeneratedCode.SelectionSet>(_ field: Int) -> Object? {
        guard let row = child(field) else { return nil }
        return Object(__row: row)
    }

    /// Reads the fields under a type condition; nil if the object is of another type, or if a non-null field among them
    /// has no value.
    @inlinable
    public func inlineFragment<Object: GeneratedCode.SelectionSet>(_ field: Int) -> Object? {
        guard let row = child(field) else { return nil }
        return Object(__row: row)
    }

    @usableFromInline
    func list(of field: Int) -> GeneratedCode.RowList? {
        let word = word(field)
        guard word != 0 else { return nil }
        let item = item(field)
        return GeneratedCode.RowList(
            shelf, at: word, node: Int(shelf.plan.items[item].child), depth: shelf.plan.types[item].listDepth)
    }

    /// Reads a list of objects.
    @inlinable
    public func objects<Element>(_ field: Int) -> ObjectList<Element> {
        guard let list = list(of: field) else { GeneratedCode.failedRead() }
        return ObjectList(list)
    }

    /// Reads a list of objects.
    @inlinable
    public func optionalObjects<Element>(_ field: Int) -> ObjectList<Element>? {
        guard let list = list(of: field) else { return nil }
        return ObjectList(list)
    }

    // MARK: - Fragments

    /// Returns the reference of a spread that always matches.
    @inlinable
    public func fragment<Fragment: GraphQLFragment>(_ field: Int) -> FragmentReference<Fragment> {
        FragmentReference(target(field))
    }

    /// Returns the reference of a spread; nil if the object is of another type or a condition excludes the spread.
    @inlinable
    public func optionalFragment<Fragment: GraphQLFragment>(_ field: Int) -> FragmentReference<Fragment>? {
        matches(field) ? FragmentReference(target(field)) : nil
    }

    /// Returns the reference of a spread with `@defer` that always matches.
    @inlinable
    public func deferredFragment<Fragment: GraphQLFragment>(_ field: Int) -> DeferredReference<Fragment> {
        DeferredReference(fragment(field))
    }

    /// Returns the reference of a spread with `@defer`; nil if the object is not known to be of the fragment's type, or
    /// a condition excludes the spread.
    @inlinable
    public func optionalDeferredFragment<Fragment: GraphQLFragment>(_ field: Int) -> DeferredReference<Fragment>? {
        optionalFragment(field).map { DeferredReference($0) }
    }

    @usableFromInline
    package func matches(_ field: Int) -> Bool {
        let item = shelf.plan.items[item(field)]
        return item.kind == .spread && (item.condition == nil || word(field) != 0)
    }

    @usableFromInline
    package func target(_ field: Int) -> GeneratedCode.FragmentTarget {
        let hasSpreads = shelf.layout.nodes[Int(node)].hasSpreads
        return .init(
            use: use(of: field), record: record, collection: hasSpreads ? shelf.words[Int(index) &+ 2] : 0)
    }

    /// Returns the use for the reference of a spread.
    @inline(__always)
    private func use(of field: Int) -> OperationUse {
        if shelf.plan.passed.isEmpty { return shelf.use }
        return shelf.use.spreads[item(field)] ?? shelf.use
    }

    // MARK: - Caught errors

    /// Returns the value that `value` reads from this row, or the errors that `@catch` has caught at a field and below
    /// it.
    @inlinable
    public func result<Result>(_ field: Int, _ value: (Self) -> Result) -> FieldResult<Result> {
        errors(at: field).map { .failure($0) } ?? .success(value(self))
    }

    @usableFromInline
    func errors(at field: Int) -> [FieldError]? {
        let word = caught(field)
        return word == 0 ? nil : shelf.rest.caught[word &- 1]
    }

    /// Returns the value that `value` reads from this row; nil if `@catch(to: NULL)` has caught errors at a field or
    /// below it.
    @inlinable
    public func unlessCaught<Result>(_ field: Int, _ value: (Self) -> Result?) -> Result? {
        caught(field) == 0 ? value(self) : nil
    }

    @usableFromInline
    func caught(_ field: Int) -> Int {
        let word = Int(shelf.layout.catchWords[item(field)])
        return word == 0 ? 0 : Int(shelf.words[Int(index) &+ word])
    }
}
