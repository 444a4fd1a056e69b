/// The values of an operation's variables: a generated struct with one property each.
public protocol GraphQLVariables: Sendable, Hashable {
    /// Writes every variable that was not left out, in declaration order.
    func encode(into encoder: inout GeneratedCode.VariableEncoder)
}

/// A generated struct for an input object of the schema.
public protocol GraphQLInputObject: GraphQLInputValue, Hashable {
    /// Writes every field that was not left out, in the order of the schema.
    func encode(into encoder: inout GeneratedCode.VariableEncoder)
}

/// What can stand for a variable or a field of an input object.
public protocol GraphQLInputValue: Sendable {
    /// The JSON that is sent; of an input object, what is nested deeper than ``JSONValue/maximumDepth`` is null in it.
    var jsonValue: JSONValue { get }

    /// The JSON that is sent; nil if arrays and objects are nested in it deeper than that.
    func jsonValue(levels: Int) -> JSONValue?
}

/// A generated enum; a value that the schema did not have at compile time is kept as its raw text.
public protocol GraphQLEnum: GraphQLInputValue, RawRepresentable, Hashable where RawValue == String {
    /// Never fails: text that is no known value becomes the `unknown` case.
    init(rawValue: String)
}

extension GeneratedCode {
    /// Collects variables, or the fields of an input object, in order.
    public struct VariableEncoder: Sendable {
        /// What was added, in order.
        package var members: [JSONValue.Member] = []
        /// The members that are nested too deep, and null for that reason.
        private(set) var tooDeep: [String] = []
        /// How deep the members may be nested.
        private let levels: Int

        /// Begins without a member.
        package init(levels: Int = JSONValue.maximumDepth) {
            self.levels = levels
        }

        /// The variables of an operation, and why it is not to be sent if one of them is nested too deep. In the place
        /// of such a one stands what nothing was ever fetched with: it is not to be taken for null.
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

        /// Adds a value or a null; what is absent is left out.
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
    /// Counts the levels of ``jsonValue``.
    public func jsonValue(levels: Int) -> JSONValue? { jsonValue.jsonValue(levels: levels) }
}

extension GraphQLInputObject {
    /// An object of the fields that were not left out; what is nested too deep is null.
    public var jsonValue: JSONValue { encoded(levels: JSONValue.maximumDepth).json }

    /// An object of the fields that were not left out.
    public func jsonValue(levels: Int) -> JSONValue? {
        guard levels > 0 else { return .none }
        let (json, isTooDeep) = encoded(levels: levels)
        // Not a conditional expression, in which `nil` would be JSON's null.
        if isTooDeep { return .none }
        return json
    }

    private func encoded(levels: Int) -> (json: JSONValue, isTooDeep: Bool) {
        var encoder = GeneratedCode.VariableEncoder(levels: levels - 1)
        encode(into: &encoder)
        return (.object(encoder.members), !encoder.tooDeep.isEmpty)
    }
}

extension GraphQLEnum {
    /// The raw text.
    public var jsonValue: JSONValue { .string(rawValue) }
}

extension JSONValue: GraphQLInputValue {
    /// Itself.
    public var jsonValue: JSONValue { self }

    /// Itself, unless it is nested deeper.
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
