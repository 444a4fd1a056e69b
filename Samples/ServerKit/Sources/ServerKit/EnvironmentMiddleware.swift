public import Baton
import HTTPTypes
public import Hummingbird

/// The context of requests whose pages read data.
public protocol EnvironmentRequestContext: Hummingbird.RequestContext {
    /// The environment of the request; set by ``EnvironmentMiddleware``.
    var environment: RelayEnvironment? { get set }
}

/// Gives each request an environment of its own over the data that all share, and turns errors of requests for data
/// into responses with public texts.
public struct EnvironmentMiddleware<Context: EnvironmentRequestContext>: RouterMiddleware {
    private let make: @Sendable (Request, Context) async throws -> RelayEnvironment
    private let page: @Sendable (RelayError.PublicFailure) -> Response

    /// Makes a middleware.
    ///
    /// - Parameters:
    ///   - page: Makes the page of a failure; a line of text by default.
    ///   - make: Makes the environment of a request, from a ``SharedData`` for example.
    public init(
        page: @escaping @Sendable (RelayError.PublicFailure) -> Response = { $0.response },
        make: @escaping @Sendable (Request, Context) async throws -> RelayEnvironment
    ) {
        self.make = make
        self.page = page
    }

    /// Answers the request with an environment.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            var context = context
            context.environment = try await make(request, context)
            return try await next(request, context)
        } catch let error as RelayError {
            return page(error.publicFailure)
        }
    }
}

extension RelayError.PublicFailure {
    /// The failure as a line of text.
    public var response: Response {
        var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        if let retryAfter {
            headers[.retryAfter] = "\(max(1, Int(min(retryAfter, .seconds(86_400)) / .seconds(1))))"
        }
        return Response(
            status: HTTPResponse.Status(code: status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
