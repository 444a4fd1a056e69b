public import Baton

/// Adds two headers with the name and the version of the client.
///
/// Headers of the same names that the caller has set are kept.
public struct ClientNameInterceptor: NetworkInterceptor {
    private let headers: [(name: String, value: String)]

    /// Makes an interceptor; the default names are those that Apollo's servers read.
    public init(
        name: String, version: String? = nil,
        nameHeader: String = "apollographql-client-name", versionHeader: String = "apollographql-client-version"
    ) {
        headers = [(nameHeader, name)] + (version.map { [(versionHeader, $0)] } ?? [])
    }

    /// Adds the headers.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        var request = request
        for header in headers { request.addHeader(header.name, header.value) }
        try await next(request, deliver)
    }
}
