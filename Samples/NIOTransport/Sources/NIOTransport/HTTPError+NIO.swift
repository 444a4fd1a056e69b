import AsyncHTTPClient
import BatonHTTP
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

extension HTTPError {
    /// Translates an error: to an ``HTTPError``, or to the same error if it is a `CancellationError`.
    ///
    /// Texts of async-http-client that may hold the value of a header field are not quoted.
    static func make(of error: any Error) -> any Error {
        switch error {
        case let error as HTTPError: error
        case let error as CancellationError: error
        case let error as HTTPClientError: make(of: error)
        case let error as NIOConnectionError: make(of: error)
        case let error as IOError: make(of: error)
        case let error as ChannelError: make(of: error)
        case NIOSSLError.uncleanShutdown: HTTPError.closed(reason: "TLS ended without saying so")
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: HTTPError.tls(reason: "\(error)")
        case HTTPParserError.invalidEOFState: HTTPError.closed(reason: "closed by the server")
        // The status is 101, so that this is a server of HTTP.
        case let error as NIOHTTPClientUpgradeError
        where error == .upgraderDeniedUpgrade || error == .responseProtocolNotFound:
            HTTPError.notWebSocket(reason: "its response does not belong to the handshake")
        case is HTTPParserError, is NIOHTTPClientUpgradeError: HTTPError.notHTTP
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            HTTPError.compression(reason: "\(error)")
        default: HTTPError.closed(reason: "\(error)")
        }
    }

    private static func make(of error: HTTPClientError) -> any Error {
        switch error {
        case .cancelled: CancellationError()
        case .connectTimeout, .tlsHandshakeTimeout: HTTPError.refused(reason: "no connection in time")
        case .getConnectionFromPoolTimeout: HTTPError.failed(reason: "all connections to the host were busy")
        case .invalidURL, .emptyHost, .emptyScheme: HTTPError.badURL(reason: "it has no scheme or host")
        case .remoteConnectionClosed: HTTPError.closed(reason: "closed by the server")
        case .alreadyShutdown: HTTPError.failed(reason: "the transport was shut down")
        default: HTTPError.failed(reason: error.shortDescription)
        }
    }

    private static func make(of error: NIOConnectionError) -> any Error {
        if let failure = error.connectionErrors.last {
            return make(of: failure.error)
        }
        return HTTPError.nameNotFound(reason: "there is no address of '\(error.host)'")
    }

    private static func make(of error: IOError) -> any Error {
        switch error.errnoCode {
        case ECONNREFUSED: HTTPError.refused(reason: "connection refused")
        case ENETUNREACH, ENETDOWN: HTTPError.offline(reason: "no route to the network")
        case EHOSTUNREACH: HTTPError.refused(reason: "no route to the host")
        case ETIMEDOUT: HTTPError.refused(reason: "no connection in time")
        case ECONNRESET, EPIPE: HTTPError.closed(reason: "reset by the server")
        default: HTTPError.failed(reason: "error \(error.errnoCode) of the system")
        }
    }

    private static func make(of error: ChannelError) -> any Error {
        switch error {
        case .connectTimeout: HTTPError.refused(reason: "no connection in time")
        default: HTTPError.closed(reason: "closed by the server")
        }
    }
}
