public import Baton

extension GeneratedCode {
    /// Makes answers of an operation by executing it, for a generated `make`. Its methods throw a `BuilderError` for
    /// mistakes in the edits, or in the world that fills the rest.
    public struct OperationBuilder<Operation: GraphQLOperation>: Sendable {
        private let table: BuilderTable
        private let text: String?

        /// Takes the table of the schema, and the text to execute; nil for the text that is sent.
        public init(_ table: BuilderTable, text: String? = nil) {
            self.table = table
            self.text = text
        }

        /// The data of an answer.
        public func data<Builder: EditBuilder>(
            _ operation: Operation?, _ world: World?, _ edit: (inout Builder) -> Void
        ) throws(BuilderError) -> Operation.Data {
            let answer = try answer(operation, world, edit)
            return Operation.Data(
                __row: try BuilderError.wrap { () throws(RelayError) in
                    try RelayEnvironment.row(
                        of: Operation.artifact, variables: .object(answer.variables), data: answer.data, in: nil)
                })
        }

        /// The object under `data` of an answer.
        public func json<Builder: EditBuilder>(
            _ operation: Operation?, _ world: World?, _ edit: (inout Builder) -> Void
        ) throws(BuilderError) -> JSONValue {
            try answer(operation, world, edit).data
        }

        private func answer<Builder: EditBuilder>(
            _ operation: Operation?, _ world: World?, _ edit: (inout Builder) -> Void
        ) throws(BuilderError) -> BuilderRun.Answer {
            let artifact = Operation.artifact
            guard let text = text ?? artifact.text else {
                throw BuilderError(["'\(artifact.name)' is not sent to a server, so that nothing can answer it"])
            }
            var builder = Builder(__edits: Edits())
            edit(&builder)
            let run = BuilderRun(table: table, text: text, world: world, scalars: artifact.scalars)
            return try run.answer(Self.variables(operation, artifact), builder.__edits)
        }

        private static func variables(_ operation: Operation?, _ artifact: OperationArtifact) -> [JSONValue.Member] {
            var encoder = VariableEncoder()
            if let operation { encoder.encode(operation.variables.__fields) }
            encoder.encode(artifact.provided)
            return encoder.members
        }
    }

    /// Makes objects for a fragment by executing an operation that spreads it, for a generated `make`. Its methods
    /// throw a `BuilderError` for mistakes in the edits, or in the world that fills the rest.
    public struct FragmentBuilder<Fragment: GraphQLFragment>: Sendable {
        private let table: BuilderTable
        private let artifact: OperationArtifact

        /// Takes the table of the schema, and the operation, whose only field spreads the fragment.
        public init(_ table: BuilderTable, _ artifact: OperationArtifact) {
            self.table = table
            self.artifact = artifact
        }

        /// A reference to an object, in records of its own or in an environment.
        public func reference<Builder: EditBuilder>(
            _ id: String?, _ environment: RelayEnvironment?, _ world: World?, _ edit: (inout Builder) -> Void
        ) throws(BuilderError) -> FragmentReference<Fragment> {
            let answer = try answer(id, world, edit)
            let row = try BuilderError.wrap { () throws(RelayError) in
                try RelayEnvironment.row(
                    of: artifact, variables: .object(answer.variables), data: answer.data, in: environment)
            }
            let object: MadeObject = row.object(0)
            return object.__row.fragment(0)
        }

        /// The data of an object.
        public func data<Builder: EditBuilder>(
            _ id: String?, _ world: World?, _ edit: (inout Builder) -> Void
        ) throws(BuilderError) -> Fragment.Data {
            let reference = try reference(id, nil, world, edit)
            let result = FragmentHandle(reference).get()
            return try BuilderError.wrap { () throws(RelayError) in
                guard let data = try result.get() else {
                    throw RelayError.missingNonNullField(path: [], component: Fragment.artifact.name)
                }
                return data
            }
        }

        /// The JSON of an object, with the fields of the fragments in it.
        public func json<Builder: EditBuilder>(
            _ id: String?, _ world: World?, _ edit: (inout Builder) -> Void
        ) throws(BuilderError) -> JSONValue {
            try answer(id, world, edit).data[Self.object] ?? .null
        }

        /// The response key of the object.
        private static var object: String { "made" }

        private func answer<Builder: EditBuilder>(
            _ id: String?, _ world: World?, _ edit: (inout Builder) -> Void
        ) throws(BuilderError) -> BuilderRun.Answer {
            var encoder = VariableEncoder()
            encoder.encode(artifact.provided)
            if let id { encoder.members.insert(.init("__id", .string(id)), at: 0) }
            var builder = Builder(__edits: Edits())
            edit(&builder)
            let run = BuilderRun(table: table, text: artifact.text ?? "", world: world, scalars: artifact.scalars)
            // The edits are about the object, which is the only field of the operation.
            let edits = Edits(.object(ObjectEdits(members: [Self.object: builder.__edits])))
            return try run.answer(encoder.members, edits)
        }
    }

    /// The object with the spread of the made operation.
    private struct MadeObject: GeneratedCode.Selections {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let __row: GeneratedCode.Row
    }
}

extension BuilderError {
    /// Turns an error of the runtime into one of the builder.
    fileprivate static func wrap<Result>(
        _ body: () throws(RelayError) -> Result
    ) throws(BuilderError) -> Result {
        do throws(RelayError) { return try body() } catch { throw BuilderError([error.description]) }
    }
}
