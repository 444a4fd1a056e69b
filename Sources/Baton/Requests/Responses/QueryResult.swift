/// The state of a handle at one moment.
public enum QueryResult<Data> {
    /// The data has not arrived yet, or was not asked for yet.
    case loading
    /// There is no data, because of this error.
    case failure(RelayError)
    /// The data in the store; nil if a non-null field has no value and no nullable field encloses it.
    case success(Data?)

    /// The data of a success; nil in every other case.
    public var data: Data? {
        guard case .success(let data) = self else { return nil }
        return data
    }

    /// The error of a failure; nil in every other case.
    public var error: RelayError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// The field errors that are the reason why there is no data: errors that `@catch(to: RESULT)` of the whole
    /// operation or fragment has caught, or errors of fields under `@throwOnFieldError`. None in every other case.
    public var fieldErrors: [FieldError] {
        error?.fieldErrors ?? []
    }

    /// True while there is neither data nor a failure.
    public var isLoading: Bool {
        guard case .loading = self else { return false }
        return true
    }

    /// Returns the data of a success, and throws the error of a failure. The result is nil if there is no data, and
    /// while there is neither data nor a failure: ``isLoading`` tells the two apart.
    public func get() throws(RelayError) -> Data? {
        switch self {
        case .loading: return nil
        case .failure(let error): throw error
        case .success(let data): return data
        }
    }

    /// Converts the data and leaves the other states as they are.
    public func map<Value>(_ transform: (Data) throws -> Value) rethrows -> QueryResult<Value> {
        switch self {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .success(let data): .success(try data.map(transform))
        }
    }
}

extension QueryResult: Sendable where Data: Sendable {}
extension QueryResult: Equatable where Data: Equatable {}

extension ReadResult {
    /// The state of a handle that shows this read.
    var result: QueryResult<Data> { problems?.failure.map { .failure($0) } ?? .success(data) }
}
