/// The values of an operation's variables: a generated struct with one property each.
public protocol GraphQLVariables: Sendable, Hashable {
    /// Writes every variable that was not left out, in declaration order.
    func encode(into encoder: inout GeneratedCode.VariableEncoder)
}

extension GeneratedCode {
    /// The variables of an operation that has none.
    public struct NoVariables: GraphQLVariables {
        /// Makes the only value.
        public init() {}

        /// Writes nothing.
        public func encode(into encoder: inout VariableEncoder) {}
    }
}

/// A generated struct for an input object of the schema.
public protocol GraphQLInputObject: GraphQLInputValue, Hashable {
    /// Writes every field that was not left out, in the order of the schema.
    func encode(into encoder: inout GeneratedCode.VariableEncoder)
}

extension GraphQLInputObject {
    /// Compares what is sent. Parts that are nested too deep to be sent are not compared.
    public static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

    /// Hashes what is sent.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    private var fields: [JSONValue.Member] { encoded(levels: JSONValue.maximumDepth).members }
}

/// A value of a variable or of a field of an input object.
public protocol GraphQLInputValue: Sendable {
    /// The JSON to send. In an input object, parts that are nested deeper than ``JSONValue/maximumDepth`` become null.
    var jsonValue: JSONValue { get }

    /// The JSON to send; nil if arrays and objects are nested in it deeper than `levels`.
    func jsonValue(levels: Int) -> JSONValue?
}

/// A generated enum. A value that was added to the schema later is kept as its raw text.
public protocol GraphQLEnum: GraphQLInputValue, RawRepresentable, Hashable where RawValue == String {
    /// Never fails: an unknown text becomes the `unknown` case.
    init(rawValue: String)
}

extension GraphQLEnum {
    /// Compares the raw texts.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Hashes the raw text.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension GeneratedCode {
    /// Collects the variables of an operation, or the fields of an input object, in the order in which they are added.
    public struct VariableEncoder: Sendable {
        /// The added members, in order.
        package var members: [JSONValue.Member] = []
        /// The names of the members that are nested too deep and were replaced by null.
        private(set) var tooDeep: [String] = []
        /// The greatest depth at which members may be nested.
        private let levels: Int

        /// Creates an encoder without members.
        package init(levels: Int = JSONValue.maximumDepth) {
            self.levels = levels
        }

        /// Encodes the variables of an operation, and returns an error if one of them is nested too deep.
        ///
        /// A variable that is too deep is replaced by an object that no request is ever sent with, so that it is not
        /// taken for null.
        static func encode(
            _ variables: some GraphQLVariables, for operationName: String
        ) -> (members: [JSONValue.Member], refusal: RelayError?) {
            var encoder = Self()
            variables.encode(into: &encoder)
            guard let first = encoder.tooDeep.first else { return (encoder.members, nil) }
            let members = encoder.members.map { member in
                encoder.tooDeep.contains(member.name)
                    ? .init(member.name, ["client:tooDeep": true]) : member
            }
            return (
                members, .variableTooDeep(operationName: operationName, variable: first, limit: encoder.levels)
            )
        }

        /// Adds a value.
        public mutating func encode(_ name: String, _ value: some GraphQLInputValue) {
            if let json = value.jsonValue(levels: levels) {
                members.append(.init(name, json))
            } else {
                tooDeep.append(name)
                members.append(.init(name, .null))
            }
        }

        /// Adds a value or a null; an absent member is left out.
        public mutating func encode(_ name: String, _ value: GraphQLNullable<some GraphQLInputValue>) {
            switch value {
            case .absent: break
            case .null: members.append(.init(name, .null))
            case .value(let value): encode(name, value)
            }
        }
    }
}

extension GraphQLInputValue {
    /// Returns ``jsonValue``, or nil if it is nested deeper than `levels`.
    public func jsonValue(levels: Int) -> JSONValue? { jsonValue.jsonValue(levels: levels) }
}

extension GraphQLInputObject {
    /// An object of the fields that were not left out; parts that are nested too deep are null.
    public var jsonValue: JSONValue { .object(encoded(levels: JSONValue.maximumDepth).members) }

    /// An object of the fields that were not left out.
    public func jsonValue(levels: Int) -> JSONValue? {
        guard levels > 0 else { return .none }
        let (members, isTooDeep) = encoded(levels: levels)
        // A conditional expression would turn `nil` into JSON's null.
        if isTooDeep { return .none }
        return .object(members)
    }

    fileprivate func encoded(levels: Int) -> (members: [JSONValue.Member], isTooDeep: Bool) {
        var encoder = GeneratedCode.VariableEncoder(levels: levels - 1)
        encode(into: &encoder)
        return (encoder.members, !encoder.tooDeep.isEmpty)
    }
}

extension GraphQLEnum {
    /// The raw text.
    public var jsonValue: JSONValue { .string(rawValue) }
}

extension JSONValue: GraphQLInputValue {
    /// Itself.
    public var jsonValue: JSONValue { self }

    /// Itself; nil if it is nested deeper than `levels`.
    public func jsonValue(levels: Int) -> JSONValue? {
        if isDeeper(than: levels) { return .none }
        return self
    }
}

extension Int: GraphQLInputValue {
    /// A JSON number.
    public var jsonValue: JSONValue { .int(self) }
}

extension Double: GraphQLInputValue {
    /// A JSON number.
    public var jsonValue: JSONValue { .double(self) }
}

extension Bool: GraphQLInputValue {
    /// `true` or `false`.
    public var jsonValue: JSONValue { .bool(self) }
}

extension String: GraphQLInputValue {
    /// A JSON string.
    public var jsonValue: JSONValue { .string(self) }
}

extension Array: GraphQLInputValue where Element: GraphQLInputValue {
    /// A JSON array in the same order.
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }

    /// A JSON array in the same order.
    public func jsonValue(levels: Int) -> JSONValue? {
        guard levels > 0 else { return .none }
        var values: [JSONValue] = []
        values.reserveCapacity(count)
        for element in self {
            guard let value = element.jsonValue(levels: levels - 1) else { return .none }
            values.append(value)
        }
        return .array(values)
    }
}

extension Optional: GraphQLInputValue where Wrapped: GraphQLInputValue {
    /// The value, or null.
    public var jsonValue: JSONValue { self?.jsonValue ?? .null }

    /// The value, or null.
    public func jsonValue(levels: Int) -> JSONValue? {
        guard let self else { return .null }
        return self.jsonValue(levels: levels)
    }
}
