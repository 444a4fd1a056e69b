extension GeneratedCode {
    /// The values of an operation's variables: a generated struct with one property each.
    ///
    /// The struct is `Hashable`. Two values are equal if the same JSON is sent for them.
    public protocol Variables: Sendable {
        /// The values in declaration order.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __fields: GeneratedCode.InputFields { get }
    }
}

extension GeneratedCode.Variables {
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
    public struct NoVariables: GeneratedCode.Variables, Hashable {
        /// Makes the only value.
        public init() {}

        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// No values.
        public var __fields: InputFields { InputFields() }

    }
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
