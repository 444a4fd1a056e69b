/// The values of an operation's variables: a generated struct with one property each.
///
/// The struct is `Hashable`; values are compared by what is sent.
public protocol GraphQLVariables: Sendable {
    /// The values in declaration order.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __fields: GeneratedCode.InputFields { get }
}

extension GraphQLVariables {
    /// Compares the values.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.__fields == right.__fields }

    /// Hashes the values.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { __fields.hash(into: &hasher) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { __fields.hashValue }
}

extension GeneratedCode {
    /// The variables of an operation that has none.
    public struct NoVariables: GraphQLVariables, Hashable {
        /// Makes the only value.
        public init() {}

        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// No values.
        public var __fields: InputFields { InputFields() }

    }
}

/// A generated struct for an input object of the schema. It is `Hashable`.
public protocol GraphQLInputObject: GraphQLInputValue {
    /// The fields in the order of the schema.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __fields: GeneratedCode.InputFields { get }

    /// Wraps the fields of an object of this type.
    init(__fields: GeneratedCode.InputFields)
}

extension GraphQLInputObject {
    /// Compares the fields, also those that are nested too deep to be sent.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.__fields == right.__fields }

    /// Hashes the fields.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { __fields.hash(into: &hasher) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { __fields.hashValue }
}

/// A generated enum for an input object of the schema of which exactly one field is given (`@oneOf`): a case for each
/// field, with its value. It is `Hashable`.
public protocol GraphQLOneOfInput: GraphQLInputValue {
    /// The field that is given.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __fields: GeneratedCode.InputFields { get }
}

extension GraphQLOneOfInput {
    /// Compares what is given, also values that are nested too deep to be sent.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.__fields == right.__fields }

    /// Hashes what is given.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { __fields.hash(into: &hasher) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { __fields.hashValue }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// An object with the field that is given.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var __input: GeneratedCode.InputValue { .init(.one(OneInput(self))) }
}

/// A value of a variable or of a field of an input object.
///
/// Each requirement costs an application some 50 bytes for each of its enums and input objects. So there is one.
public protocol GraphQLInputValue: Sendable {
    /// The parts of the value, of which the JSON to send is made.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __input: GeneratedCode.InputValue { get }
}

extension GeneratedCode {
    /// The parts of a value of a variable or of a field of an input object.
    public struct InputValue: Sendable {
        let item: InputItem

        init(_ item: InputItem) { self.item = item }

        /// Makes a value of the JSON to send, for a type of the application.
        public init(json: JSONValue) { item = .json(json) }
    }
}

extension GraphQLInputValue {
    /// The JSON to send. In an input object, parts that are nested deeper than ``JSONValue/maximumDepth`` become null.
    public var jsonValue: JSONValue { __input.item.jsonValue }

    /// The JSON to send; nil if arrays and objects are nested in it deeper than `levels`.
    public func jsonValue(levels: Int) -> JSONValue? { __input.item.jsonValue(levels: levels) }
}

/// A generated enum, which is `RawRepresentable` and `Hashable`. A value that was added to the schema later is kept as
/// its raw text.
public protocol GraphQLEnum: GraphQLInputValue {
    /// The cases that the schema had.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    static var __values: GeneratedCode.EnumValues<Self> { get }

    /// The case of a text that the schema did not have.
    static func unknown(_ text: String) -> Self

    /// The text of the value in the schema.
    var rawValue: String { get }
}

extension GraphQLEnum {
    /// Never fails: an unknown text becomes the `unknown` case.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public init(rawValue: String) { self = Self.__values.value(rawValue) }

    /// Compares the raw texts.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
}

// Where an enum conforms to both protocols, the standard library has these methods too. Without the conditions neither
// would be preferred, and Swift would write a `switch` over all cases for each enum.
extension GraphQLEnum where Self: RawRepresentable<String> & Hashable {
    /// Hashes the raw text.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { rawValue.hashValue }
}

extension GeneratedCode {
    /// Collects the variables of an operation, or the fields of an input object, in the order in which they are added.
    package struct VariableEncoder: Sendable {
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
        /// taken for null. The variables that providers give come after the others.
        static func encode(
            _ variables: some GraphQLVariables, _ provided: [ProvidedVariable], operationName: String
        ) -> (members: [JSONValue.Member], refusal: RelayError?) {
            var encoder = Self()
            encoder.encode(variables.__fields)
            encoder.encode(provided)
            guard let first = encoder.tooDeep.first else { return (encoder.members, nil) }
            let members = encoder.members.map { member in
                encoder.tooDeep.contains(member.name)
                    ? .init(member.name, ["client:tooDeep": true]) : member
            }
            return (members, .variableTooDeep(operationName: operationName, variable: first, limit: encoder.levels))
        }

        /// Encodes the variables of the operation with an artifact.
        static func encode(
            _ variables: some GraphQLVariables, for artifact: OperationArtifact
        ) -> (members: [JSONValue.Member], refusal: RelayError?) {
            encode(variables, artifact.provided, operationName: artifact.name)
        }

        private mutating func add(_ name: String, _ value: JSONValue?) {
            if let value {
                members.append(.init(name, value))
            } else {
                tooDeep.append(name)
                members.append(.init(name, .null))
            }
        }

        /// Adds the values that providers give.
        package mutating func encode(_ provided: [ProvidedVariable]) {
            for variable in provided { add(variable.name, variable.jsonValue(levels)) }
        }

        /// Adds every value that was not left out, in declaration order.
        package mutating func encode(_ fields: InputFields) {
            for (name, item) in fields.members {
                if case .absent = item { continue }
                add(String(name), item.jsonValue(levels: levels))
            }
        }
    }
}

extension GraphQLInputObject {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// An object of the fields that were not left out.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var __input: GeneratedCode.InputValue { .init(.object(__fields)) }
}

extension GraphQLEnum {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The raw text.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var __input: GeneratedCode.InputValue { .init(.string(rawValue)) }
}

extension JSONValue: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Itself.
    public var __input: GeneratedCode.InputValue { .init(.json(self)) }
}

extension Int: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON number.
    public var __input: GeneratedCode.InputValue { .init(.int(self)) }
}

extension Double: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON number.
    public var __input: GeneratedCode.InputValue { .init(.double(self)) }
}

extension Bool: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// `true` or `false`.
    public var __input: GeneratedCode.InputValue { .init(.bool(self)) }
}

extension String: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON string.
    public var __input: GeneratedCode.InputValue { .init(.string(self)) }
}

extension Array: GraphQLInputValue where Element: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON array in the same order.
    public var __input: GeneratedCode.InputValue { .init(.list(map(\.__input.item))) }
}

extension Optional: GraphQLInputValue where Wrapped: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The value, or null.
    public var __input: GeneratedCode.InputValue { self?.__input ?? .init(.null) }
}
