import BatonHTTP

/// The transports that everything is tried over.
enum TransportKind: CaseIterable {
    case urlSession, curl

    func make() throws -> any HTTPTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .curl: try CurlTransport()
        }
    }
}
