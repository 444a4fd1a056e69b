/// One response to an operation: data, errors and extensions.
///
/// The operation is retained, as by ``RelayEnvironment/retain(_:)``, as long as a copy of the response exists. An
/// exception is the response of `read` of a ``RelayEnvironment``, which retains nothing. A response that was fetched
/// with `writeResultsToStore: false` has its own records.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
    /// The source of a response.
    public enum Source: Sendable, Hashable {
        /// A server.
        case network
        /// The store, without a request or after a failed one.
        case store
    }

    /// The content of the response, in one object, so that a copy of the response counts one reference.
    let content: ResponseContent

    /// Creates the response of a payload that has landed in the store.
    init(_ payload: StoredPayload, of operation: BoundOperation, in environment: RelayEnvironment) {
        content = ResponseContent(payload, of: operation, in: environment)
    }

    /// Creates a response from the data in the store.
    init(stored operation: BoundOperation, errors: [GraphQLError], in environment: RelayEnvironment) {
        content = ResponseContent(stored: operation, errors: errors, in: environment)
    }

    /// Creates a response to this operation.
    init(_ content: ResponseContent) { self.content = content }

    /// The data; nil if the server sent none, or if a non-null field has no value and no nullable field encloses it.
    public var data: Operation.Data? { content.row.map { Operation.Data(__row: $0) } }
    /// The reason why there is no data: the server sent errors in its place, a field with `@required(action: THROW)`
    /// has no value, a field has an error under `@throwOnFieldError`, or the data is larger than
    /// ``StoreOptions/resultSize``. It is the failure of ``result``.
    public var failure: RelayError? {
        content.problems?.failure ?? (isNull && !errors.isEmpty ? .noData(errors) : nil)
    }
    /// The complete `errors` of the response.
    public var errors: [GraphQLError] { content.errors }
    /// The `extensions` of the response.
    public var extensions: JSONValue? { content.extensions }
    /// The source of the response.
    public var source: Source { content.isStored ? .store : .network }
    /// The place of the first field of ``data`` that the response lacks; nil if it lacks none.
    ///
    /// Fields of fragments are checked when the fragments are read.
    public var missingField: FieldLocation? { content.missingField }
    /// True if a field of ``data`` is missing. If the field is non-null, the enclosing data is missing too.
    public var isMissingData: Bool { missingField != nil }
    /// True if the server sent no data.
    var isNull: Bool { content.isNull }

    /// The whole response as JSON, with the fields of its fragments and all parts that have arrived. A response from
    /// the store gives the current data of the store. If that data is larger than ``StoreOptions/resultSize``, where
    /// each value counts as 32 bytes, `data` is null.
    ///
    /// Each access reads the JSON anew, which takes time linear in its size.
    public var json: JSONValue { content.json }

    /// Returns the current data of a fragment in this response.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        content.environment.readResult(of: reference)?.data
    }
}

extension GraphQLResponse: Equatable {
    /// Compares data, failure, errors and extensions.
    public static func == (left: GraphQLResponse, right: GraphQLResponse) -> Bool {
        left.data == right.data && left.failure == right.failure && left.errors == right.errors
            && left.extensions == right.extensions
    }
}

extension GraphQLResponse {
    /// The state in which a handle shows the response. It is a failure if the data cannot be read, or if the server
    /// sent errors and no data. Otherwise it is a success, even if there are errors beside the data.
    ///
    ///     let film = try await environment.commit(mutation).result.get()
    public var result: QueryResult<Operation.Data> {
        if let error = failure { .failure(error) } else { .success(data) }
    }
}
