extension GeneratedCode {
    /// The part of a query with `@preloadable` that a request needs: its name, its id or text, and its variables.
    ///
    /// The compiler generates one type beside the query, with the name of the query and `Parameters` after it. The file
    /// of this type needs the runtime and the types of the variables, but not the query. So code that only begins a
    /// request does not depend on the code that reads the result. The query takes its name, text and variables from
    /// this type, so both send the same request.
    ///
    /// ```swift
    /// let parameters = FilmListQueryParameters(first: 20)
    /// let query = FilmListQuery(variables: parameters.variables)
    /// ```
    public protocol PreloadableQuery: Sendable {
        /// A struct with one property for each variable, in declaration order. The query has the same struct.
        associatedtype Variables: GeneratedCode.Variables, Hashable

        /// The name of the query, and its id or text.
        static var parameters: GeneratedCode.RequestParameters { get }

        /// The values of the variables in this request.
        var variables: Variables { get }

        /// Makes a request with these values of the variables.
        init(variables: Variables)
    }
}

extension GeneratedCode.PreloadableQuery {
    /// Compares the variables.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.variables == right.variables }

    /// Hashes the variables.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { hasher.combine(variables) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { variables.hashValue }
}

extension GeneratedCode.PreloadableQuery where Variables == GeneratedCode.NoVariables {
    /// Makes a request of a query without variables.
    public init() { self.init(variables: GeneratedCode.NoVariables()) }
}

extension GeneratedCode.PreloadableQuery {
    /// The variables to send, with the values of providers, and the reason why they must not be sent, if there is one.
    /// Both are equal to those of the query with these variables.
    package var sentVariables: (members: [JSONValue.Member], refusal: RelayError?) {
        GeneratedCode.VariableEncoder.encode(variables, Self.parameters.provided, operationName: Self.parameters.name)
    }
}

extension GeneratedCode {
    /// The parts of a request for an operation, except the values of its variables.
    public struct RequestParameters: Sendable {
        /// The operation's name in the request, as the document spells it.
        public let name: String
        /// Query, mutation or subscription.
        public let kind: OperationKind
        /// The id under which the server knows the document; nil without `persistConfig`.
        public let id: String?
        /// The document to send, with every fragment that it needs; nil if only the id is sent, or nothing.
        public let text: String?
        /// The variables whose values providers give.
        package let provided: [ProvidedVariable]

        /// Keeps the parts.
        public init(
            name: String, kind: OperationKind, id: String? = nil, text: String? = nil,
            provided: [ProvidedVariable] = []
        ) {
            self.name = name
            self.kind = kind
            self.id = id
            self.text = text
            self.provided = provided
        }
    }
}
