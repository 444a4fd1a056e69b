import BatonHTTP
import NIOTransport

/// The transports that are tried against raw bytes.
enum TransportKind: CaseIterable {
    case curl, nio
    /// Only some tests are for it, since others would end the process on Linux.
    case urlSession

    static let allCases: [TransportKind] = [.curl, .nio]

    func make() throws -> any HTTPTransport {
        switch self {
        case .curl: try CurlTransport()
        case .nio: AsyncHTTPTransport()
        case .urlSession: URLSessionTransport()
        }
    }
}
