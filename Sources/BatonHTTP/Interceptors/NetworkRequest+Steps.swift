import Baton

extension NetworkRequest {
    /// The value of a header of this request. Names are compared without regard to case.
    func header(_ name: String) -> String? {
        if let value = configuration.headers[name] { return value }
        let name = name.lowercased()
        return configuration.headers.first { $0.key.lowercased() == name }?.value
    }

    /// Adds a header, unless the caller has set a header of that name.
    mutating func addHeader(_ name: String, _ value: String) {
        if header(name) == nil { configuration.headers[name] = value }
    }
}

extension NetworkResponse {
    /// The HTTP status that the transport has noted.
    var status: Int? { metadata["status"].flatMap { Int($0) } }

    /// The same response with further metadata, which replace metadata of the same names.
    func adding(_ metadata: [String: String]) -> NetworkResponse {
        NetworkResponse(body: body, hasNext: hasNext, metadata: self.metadata.merging(metadata) { $1 })
    }
}

extension RelayError {
    /// Wraps the error of a step or a network as the caller gets it.
    init(ofStep error: any Error) {
        self =
            switch error {
            case let error as RelayError: error
            case is CancellationError: .cancelled
            default: .transport(error)
            }
    }
}

extension RelayError {
    /// The HTTP status of a response that is not a GraphQL response, also of one that has an error of its own; nil for
    /// other errors.
    var answeredStatus: Int? {
        if case .transport(HTTPError.notAcceptable) = reason { 406 } else { status }
    }
}
