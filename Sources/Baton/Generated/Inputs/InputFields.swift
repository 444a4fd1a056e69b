extension GeneratedCode {
    /// The values of an operation's variables, or the fields of an input object, in the order of their declarations.
    ///
    /// A generated struct stores this one reference, and each of its properties has a position. With a stored property
    /// for each field, the code that copies, compares, hashes and sends the fields was more than a third of all
    /// generated code (`codesize.text-vs-naive`).
    public struct InputFields: Sendable {
        /// The names, and after them an item for each name.
        private var items: [InputItem]

        /// Makes fields with these names, which are separated by spaces. A value for each must be added in this order.
        @inline(never)
        public init(_ names: String, count: Int) {
            items = []
            items.reserveCapacity(count + 1)
            items.append(.string(names))
        }

        /// Makes the fields of an operation without variables.
        init() { items = [] }

        /// The names with their values.
        var members: some Sequence<(Substring, InputItem)> {
            guard case .string(let names)? = items.first else { return zip([], [][...]) }
            return zip(names.split(separator: " "), items.dropFirst())
        }

        @inline(__always)
        subscript(position: Int) -> InputItem {
            get { position + 1 < items.count ? items[position + 1] : .absent }
            set { if position + 1 < items.count { items[position + 1] = newValue } }
        }

        /// Makes the one field of an object with `@oneOf`; `add` adds its value.
        @inline(never)
        public static func one(_ name: String, _ add: (inout InputFields) -> Void) -> InputFields {
            var fields = InputFields(name, count: 1)
            add(&fields)
            return fields
        }

        mutating func append(_ item: InputItem) { items.append(item) }
    }
}

// MARK: - JSON to send

extension GeneratedCode.InputFields {
    /// The members to send, and whether arrays and objects were nested in one of them deeper than `levels`.
    func encoded(levels: Int) -> (members: [JSONValue.Member], isTooDeep: Bool) {
        var encoder = GeneratedCode.VariableEncoder(levels: levels)
        encoder.encode(self)
        return (encoder.members, !encoder.tooDeep.isEmpty)
    }

    func jsonValue(levels: Int) -> JSONValue? {
        guard levels > 0 else { return .none }
        let (members, isTooDeep) = encoded(levels: levels - 1)
        // A conditional expression would turn `nil` into JSON's null.
        if isTooDeep { return .none }
        return .object(members)
    }
}

// MARK: - Comparison

extension GeneratedCode.InputFields: Hashable {
    /// Compares all values, also those that are nested too deep to be sent. Stored values are not converted to JSON.
    public static func == (left: Self, right: Self) -> Bool {
        // Nested values wait in an array instead of the call stack, since they may be nested deeper than the stack
        // allows.
        var waiting: [([InputItem], [InputItem])] = []
        var (left, right) = (left.items, right.items)
        while true {
            guard left.count == right.count else { return false }
            for index in left.indices where !InputItem.areAlike(left[index], right[index], &waiting) { return false }
            guard let next = waiting.popLast() else { return true }
            (left, right) = next
        }
    }

    /// Hashes the values that are not nested, and the number of the others.
    public func hash(into hasher: inout Hasher) {
        for item in items { item.hash(into: &hasher) }
    }

    var nested: [InputItem] { items }

    func isIdentical(to other: Self) -> Bool {
        items.withUnsafeBufferPointer { own in
            other.items.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
        }
    }
}

// MARK: - Initializers of generated structs

// Each method adds the next value. The methods for optional values take required values too.

extension GeneratedCode.InputFields {
    mutating func add<Wrapped>(_ value: GraphQLInput<Wrapped>, _ item: (Wrapped) -> InputItem) {
        append(InputItem(GraphQLNullable(input: value), item))
    }

    /// Adds a `String`.
    @inline(never)
    public mutating func addString(_ value: GraphQLInput<String>) { add(value) { .string($0) } }

    /// Adds an `Int`.
    @inline(never)
    public mutating func addInt(_ value: GraphQLInput<Int>) { add(value) { .int($0) } }

    /// Adds a `Double`.
    @inline(never)
    public mutating func addDouble(_ value: GraphQLInput<Double>) { add(value) { .double($0) } }

    /// Adds a `Bool`.
    @inline(never)
    public mutating func addBool(_ value: GraphQLInput<Bool>) { add(value) { .bool($0) } }

    /// Adds an enum value.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public mutating func addEnumeration<Enum: GraphQLEnum>(_ value: GraphQLInput<Enum>) {
        add(value) { .string($0.rawValue) }
    }

    /// Adds an input object.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public mutating func addObject<Object: GeneratedCode.InputObject>(_ value: GraphQLInput<Object>) {
        add(value) { .object($0.__fields) }
    }

    /// Adds an input object of which one field is given.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public mutating func addOneOf<Object: GeneratedCode.OneOfInput>(_ value: GraphQLInput<Object>) {
        add(value) { .one(OneInput($0)) }
    }

    /// Adds a list of values without conversions.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public mutating func addList<Item: GeneratedCode.Input>(_ value: GraphQLInput<[Item]>) {
        add(value) { .kept(.init($0, $0.__input.item)) }
    }

    /// Adds a mapped scalar.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public mutating func addScalar<Conversion: ScalarConversion>(
        _ value: GraphQLInput<Conversion.Value>, _: Conversion.Type
    ) {
        add(value) { .kept(.init($0, .json(Conversion.encode($0)))) }
    }

    /// Adds a list of mapped scalars, or of lists.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public mutating func addList<Item: Sendable, Sent: GeneratedCode.Input>(
        _ value: GraphQLInput<[Item]>, _ sent: ([Item]) -> Sent
    ) {
        add(value) { .kept(.init($0, sent($0).__input.item)) }
    }
}

// MARK: - Properties of generated structs

// Each kind of value has two subscripts: for a required value, and for a value that may be left out.

extension GeneratedCode.InputFields {
    /// A `String`, an `ID` or a scalar without a mapping.
    public subscript(string position: Int) -> String {
        @inline(never) get { if case .string(let value) = self[position] { value } else { "" } }
        @inline(never) set { self[position] = .string(newValue) }
    }

    /// A `String`, an `ID` or a scalar without a mapping.
    public subscript(string position: Int) -> GraphQLInput<String> {
        @inline(never) get { self[position].input { if case .string(let value) = $0 { value } else { nil } } }
        @inline(never) set { self[position] = .init(GraphQLNullable(input: newValue)) { .string($0) } }
    }

    /// An `Int`.
    public subscript(int position: Int) -> Int {
        @inline(never) get { if case .int(let value) = self[position] { value } else { 0 } }
        @inline(never) set { self[position] = .int(newValue) }
    }

    /// An `Int`.
    public subscript(int position: Int) -> GraphQLInput<Int> {
        @inline(never) get { self[position].input { if case .int(let value) = $0 { value } else { nil } } }
        @inline(never) set { self[position] = .init(GraphQLNullable(input: newValue)) { .int($0) } }
    }

    /// A `Float`.
    public subscript(double position: Int) -> Double {
        @inline(never) get { if case .double(let value) = self[position] { value } else { 0 } }
        @inline(never) set { self[position] = .double(newValue) }
    }

    /// A `Float`.
    public subscript(double position: Int) -> GraphQLInput<Double> {
        @inline(never) get { self[position].input { if case .double(let value) = $0 { value } else { nil } } }
        @inline(never) set { self[position] = .init(GraphQLNullable(input: newValue)) { .double($0) } }
    }

    /// A `Boolean`.
    public subscript(bool position: Int) -> Bool {
        @inline(never) get { if case .bool(let value) = self[position] { value } else { false } }
        @inline(never) set { self[position] = .bool(newValue) }
    }

    /// A `Boolean`.
    public subscript(bool position: Int) -> GraphQLInput<Bool> {
        @inline(never) get { self[position].input { if case .bool(let value) = $0 { value } else { nil } } }
        @inline(never) set { self[position] = .init(GraphQLNullable(input: newValue)) { .bool($0) } }
    }

    /// An enum value.
    public subscript<Enum: GraphQLEnum>(enum position: Int) -> Enum {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get {
            Enum(rawValue: self[string: position])
        }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .string(newValue.rawValue) }
    }

    /// An enum value.
    public subscript<Enum: GraphQLEnum>(enum position: Int) -> GraphQLInput<Enum> {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get { self[position].input { if case .string(let text) = $0 { Enum(rawValue: text) } else { nil } } }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .init(GraphQLNullable(input: newValue)) { .string($0.rawValue) } }
    }

    /// An input object.
    public subscript<Object: GeneratedCode.InputObject>(object position: Int) -> Object {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get {
            guard case .object(let fields) = self[position] else { GeneratedCode.failedRead() }
            return Object(__fields: fields)
        }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .object(newValue.__fields) }
    }

    /// An input object.
    public subscript<Object: GeneratedCode.InputObject>(object position: Int) -> GraphQLInput<Object> {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get { self[position].input { if case .object(let fields) = $0 { Object(__fields: fields) } else { nil } } }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .init(GraphQLNullable(input: newValue)) { .object($0.__fields) } }
    }

    /// An input object of which one field is given.
    public subscript<Object: GeneratedCode.OneOfInput>(oneOf position: Int) -> Object {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get {
            guard let value: Object = self[position].one() else { GeneratedCode.failedRead() }
            return value
        }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .one(OneInput(newValue)) }
    }

    /// An input object of which one field is given.
    public subscript<Object: GeneratedCode.OneOfInput>(oneOf position: Int) -> GraphQLInput<Object> {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get { self[position].input { $0.one() } }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .init(GraphQLNullable(input: newValue)) { .one(OneInput($0)) } }
    }

    /// A list without mapped scalars.
    public subscript<Item: GeneratedCode.Input>(list position: Int) -> [Item] {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get {
            guard let value: [Item] = self[position].kept() else { GeneratedCode.failedRead() }
            return value
        }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .kept(.init(newValue, newValue.__input.item)) }
    }

    /// A list without mapped scalars.
    public subscript<Item: GeneratedCode.Input>(list position: Int) -> GraphQLInput<[Item]> {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get { self[position].input { $0.kept() } }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .init(GraphQLNullable(input: newValue)) { .kept(.init($0, $0.__input.item)) } }
    }

    /// A mapped scalar.
    public subscript<Conversion: ScalarConversion>(
        scalar position: Int, _: Conversion.Type
    ) -> Conversion.Value {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get {
            guard let value: Conversion.Value = self[position].kept() else { GeneratedCode.failedRead() }
            return value
        }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .kept(.init(newValue, .json(Conversion.encode(newValue)))) }
    }

    /// A mapped scalar.
    public subscript<Conversion: ScalarConversion>(
        scalar position: Int, _: Conversion.Type
    ) -> GraphQLInput<Conversion.Value> {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get { self[position].input { $0.kept() } }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set {
            self[position] = .init(GraphQLNullable(input: newValue)) { .kept(.init($0, .json(Conversion.encode($0)))) }
        }
    }

    /// A list of mapped scalars, with their conversion.
    public subscript<Item: Sendable, Sent: GeneratedCode.Input>(
        list position: Int, sent sent: ([Item]) -> Sent
    ) -> [Item] {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get {
            guard let value: [Item] = self[position].kept() else { GeneratedCode.failedRead() }
            return value
        }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .kept(.init(newValue, sent(newValue).__input.item)) }
    }

    /// A list of mapped scalars, with their conversion.
    public subscript<Item: Sendable, Sent: GeneratedCode.Input>(
        list position: Int, sent sent: ([Item]) -> Sent
    ) -> GraphQLInput<[Item]> {
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get { self[position].input { $0.kept() } }
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        set { self[position] = .init(GraphQLNullable(input: newValue)) { .kept(.init($0, sent($0).__input.item)) } }
    }
}

// MARK: - Descriptions

extension GeneratedCode.InputFields: CustomStringConvertible, CustomReflectable {
    /// The JSON of the fields.
    public var description: String { JSONValue.object(encoded(levels: JSONValue.maximumDepth).members).text }

    /// A mirror of the fields that were not left out.
    public var customMirror: Mirror {
        let members = encoded(levels: JSONValue.maximumDepth).members
        return Mirror(self, children: members.map { ($0.name, $0.value) }, displayStyle: .struct)
    }
}
