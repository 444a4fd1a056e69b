public import Baton

/// Adds headers that prove to servers that a request does not come from a form on a foreign page.
///
/// A browser asks the server before it sends such a header to another origin. Servers with a guard against cross-site
/// request forgery therefore refuse some requests without such a header: GET, and multipart bodies with files. Headers
/// of the same names that the caller has set are kept.
public struct PreflightInterceptor: NetworkInterceptor {
    /// The header for Apollo Server and Apollo Router, and the one for Hot Chocolate.
    public static let commonHeaders = ["Apollo-Require-Preflight": "true", "GraphQL-Preflight": "1"]

    private let headers: [String: String]

    /// Makes an interceptor that adds these headers to every request.
    public init(headers: [String: String] = PreflightInterceptor.commonHeaders) {
        self.headers = headers
    }

    /// Adds the headers.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        var request = request
        for (name, value) in headers { request.addHeader(name, value) }
        try await next(request, deliver)
    }
}
