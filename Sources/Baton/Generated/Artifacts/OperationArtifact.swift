extension GeneratedCode {
    /// Everything that the compiler knows about an operation.
    public final class OperationArtifact: Sendable {
        /// The operation's name in the request, as the document spells it.
        public let name: String
        /// Query, mutation or subscription.
        public let kind: OperationKind
        /// The id under which the server knows the document; nil without `persistConfig`. It is a hash of the document
        /// exactly as the compiler printed it.
        public let id: String?
        /// The document to send, with every fragment that it needs; nil if only the id is sent, or nothing.
        public let text: String?
        /// True if the operation is sent to a server. Otherwise all its fields are of the client's own schema, and are
        /// read from the store alone.
        public var isSent: Bool { text != nil || id != nil }
        /// The plan along which responses are written, checked and retained; every fragment is inlined.
        package let normalization: DecodedPlan
        /// The plan along which `Data` is read; it does not descend into fragment spreads.
        package let reader: DecodedPlan
        /// The conversions of the mapped scalars that the plans name.
        package let scalars: [ScalarDecoder]
        /// The variables whose values providers give.
        package let provided: [ProvidedVariable]

        #if DEBUG
            /// The path of the generated file, which `SourceComparison` compares with its source.
            package let file: String

            /// Keeps the parts; the plans are decoded when they are first used. Without a `reader`, the two plans are
            /// the same.
            ///
            /// The grammar of the two plans is in the proposal "The contract between compiler and runtime". A release
            /// build has no parameter `file`.
            public init(
                name: String, kind: OperationKind, id: String? = nil, text: String? = nil, normalization: String,
                reader: String? = nil, scalars: [ScalarDecoder] = [], provided: [ProvidedVariable] = [],
                file: String = #filePath
            ) {
                self.name = name
                self.kind = kind
                self.id = id
                self.text = text
                self.normalization = DecodedPlan(normalization)
                self.reader = reader.map { DecodedPlan($0) } ?? self.normalization
                self.scalars = scalars
                self.provided = provided
                self.file = file
            }

            /// Keeps the parts of a query with `@preloadable`, whose request parameters are a type of their own.
            public convenience init(
                _ parameters: RequestParameters, normalization: String, reader: String? = nil,
                scalars: [ScalarDecoder] = [], file: String = #filePath
            ) {
                self.init(
                    name: parameters.name, kind: parameters.kind, id: parameters.id, text: parameters.text,
                    normalization: normalization, reader: reader, scalars: scalars, provided: parameters.provided,
                    file: file)
            }
        #else
            /// Keeps the parts; the plans are decoded when they are first used. Without a `reader`, the two plans are
            /// the same.
            ///
            /// The grammar of the two plans is in the proposal "The contract between compiler and runtime".
            public init(
                name: String, kind: OperationKind, id: String? = nil, text: String? = nil, normalization: String,
                reader: String? = nil, scalars: [ScalarDecoder] = [], provided: [ProvidedVariable] = []
            ) {
                self.name = name
                self.kind = kind
                self.id = id
                self.text = text
                self.normalization = DecodedPlan(normalization)
                self.reader = reader.map { DecodedPlan($0) } ?? self.normalization
                self.scalars = scalars
                self.provided = provided
            }

            /// Keeps the parts of a query with `@preloadable`, whose request parameters are a type of their own.
            public convenience init(
                _ parameters: RequestParameters, normalization: String, reader: String? = nil,
                scalars: [ScalarDecoder] = []
            ) {
                self.init(
                    name: parameters.name, kind: parameters.kind, id: parameters.id, text: parameters.text,
                    normalization: normalization, reader: reader, scalars: scalars, provided: parameters.provided)
            }
        #endif
    }

    /// Everything that the compiler knows about a fragment.
    public final class FragmentArtifact: Sendable {
        /// The name of the fragment in its document.
        public let name: String
        /// The type on which it is defined.
        public let typeCondition: String
        /// The plan along which `Data` is read; it does not descend into fragment spreads.
        package let reader: DecodedPlan
        /// The conversions of the mapped scalars that the plan names.
        package let scalars: [ScalarDecoder]
        /// The variables that the fragment itself uses and whose values providers give.
        package let provided: [ProvidedVariable]

        /// Keeps the parts; the plan is decoded when it is first used.
        public init(
            name: String, typeCondition: String, reader: String, scalars: [ScalarDecoder] = [],
            provided: [ProvidedVariable] = []
        ) {
            self.name = name
            self.typeCondition = typeCondition
            self.reader = DecodedPlan(reader)
            self.scalars = scalars
            self.provided = provided
        }
    }
}
