import AsyncHTTPClient
import BatonHTTP
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import NIOWebSocket

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPError {
    /// The error in the words of `BatonHTTP`: an ``HTTPError``, or the error itself if it is a `CancellationError`.
    ///
    /// No text of async-http-client is quoted that may hold the value of a header field.
    static func make(of error: any Error) -> any Error {
        switch error {
        case let error as HTTPError: error
        case let error as CancellationError: error
        case let error as HTTPClientError: make(of: error)
        case let error as NIOConnectionError: make(of: error)
        case let error as IOError: make(of: error)
        case let error as ChannelError: make(of: error)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            HTTPError.connection(.secureConnectionFailed, "TLS: \(error)")
        case is HTTPParserError: HTTPError.notHTTP
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            HTTPError.connection(.cannotDecodeContentData, "the compressed body cannot be used: \(error)")
        default: HTTPError.connection(.networkConnectionLost, "\(error)")
        }
    }

    private static func make(of error: HTTPClientError) -> any Error {
        switch error {
        case .cancelled: CancellationError()
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
            HTTPError.connection(.cannotConnectToHost, "no connection in time")
        case .invalidURL, .emptyHost, .emptyScheme: HTTPError.connection(.badURL, "the URL has no scheme or host")
        case .remoteConnectionClosed: HTTPError.connection(.networkConnectionLost, "closed by the server")
        default: HTTPError.connection(.networkConnectionLost, error.shortDescription)
        }
    }

    private static func make(of error: NIOConnectionError) -> any Error {
        if let failure = error.connectionErrors.last {
            return make(of: failure.error)
        }
        return HTTPError.connection(.cannotFindHost, "the name '\(error.host)' was not found")
    }

    private static func make(of error: IOError) -> any Error {
        switch error.errnoCode {
        case ECONNREFUSED: HTTPError.connection(.cannotConnectToHost, "connection refused")
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: HTTPError.connection(.notConnectedToInternet, "no route")
        case ETIMEDOUT: HTTPError.connection(.cannotConnectToHost, "no connection in time")
        case ECONNRESET, EPIPE: HTTPError.connection(.networkConnectionLost, "reset by the server")
        default: HTTPError.connection(.networkConnectionLost, "\(error)")
        }
    }

    private static func make(of error: ChannelError) -> any Error {
        switch error {
        case .connectTimeout: HTTPError.connection(.cannotConnectToHost, "no connection in time")
        default: HTTPError.connection(.networkConnectionLost, "closed by the server")
        }
    }
}
