/// What a handle has to show at one moment.
public enum QueryResult<Data> {
    /// The data is on its way, or was not asked for yet.
    case loading
    /// There is nothing to show, and this is why.
    case failure(RelayError)
    /// What was read from the store; nil if a value that may not be null is missing all the way up to the root.
    case success(Data?)

    /// The data of a success; nil in every other case.
    public var data: Data? {
        guard case .success(let data) = self else { return nil }
        return data
    }

    /// The error of a failure.
    public var error: RelayError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// True while there is neither data nor a failure.
    public var isLoading: Bool {
        guard case .loading = self else { return false }
        return true
    }

    /// The data of a success, which may be nil; throws the error of a failure, and ``RelayError/loading`` while there
    /// is neither. So nil means that there is nothing, and not that it is yet to come; ``data`` is nil for both.
    public func get() throws(RelayError) -> Data? {
        switch self {
        case .loading: throw .loading
        case .failure(let error): throw error
        case .success(let data): return data
        }
    }

    /// Converts the data, and keeps the other states.
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

extension Snapshot {
    /// What a handle shows of it.
    var result: QueryResult<Data> { problems?.failure.map { .failure($0) } ?? .success(data) }
}
