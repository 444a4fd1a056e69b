import BatonHTTP
import Foundation
import NIOTransport

/// The transports that are tried against raw bytes.
enum TransportKind: String, CaseIterable {
    case curl, nio
    /// Only some tests are for it, since others would end the process on Linux.
    case urlSession

    /// Both, or the one that the variable `BATON_TRANSPORT` names.
    static let allCases: [TransportKind] = [.curl, .nio].filter { [nil, $0.rawValue].contains(chosen) }
    static let chosen = ProcessInfo.processInfo.environment["BATON_TRANSPORT"]

    func make() throws -> any HTTPTransport {
        switch self {
        case .curl: try CurlTransport()
        case .nio: AsyncHTTPTransport()
        case .urlSession: URLSessionTransport()
        }
    }
}
