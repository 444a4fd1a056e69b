import HTTPTypes
import Hummingbird

/// Makes a page of each error that no page has answered, and adds to each response what browsers should be told.
struct Envelope: RouterMiddleware {
    typealias Context = BasicRequestContext

    let site: Site

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            // A request of HTTP/1.1 names the host (RFC 9112, section 3.2).
            guard request.head.authority?.isEmpty == false else { throw HTTPError(.badRequest) }
            response = try await next(request, context)
        } catch {
            response = await page(for: error, request)
        }
        // Whoever keeps the connection goes to another process with the next request.
        if site.isDraining { response.headers[.connection] = "close" }
        for field in Self.fields { response.headers[field.name] = field.value }
        if PageRequest.scheme(of: request) == "https" {
            response.headers[.strictTransportSecurity] = "max-age=31536000"
        }
        return response
    }

    private func page(for error: any Error, _ request: Request) async -> Response {
        let wrong = error as? WrongMethod
        let status = wrong == nil ? (error as? any HTTPResponseError)?.status.code ?? 500 : 405
        let reply = Reply(site: site, request: await PageRequest(request, site.sessions))
        var response = await reply.show(PageError(status: status, text: Self.text(for: status)))
        if let wrong { response.headers[.allow] = wrong.allowed.map(\.rawValue).joined(separator: ", ") }
        // The rest of the request never comes.
        if status == 408 { response.headers[.connection] = "close" }
        return response
    }

    private static func text(for status: Int) -> String {
        switch status {
        case 400: "The request could not be read."
        case 403: "That was sent by a page of another site, so nothing was done."
        case 404: "No page has this address."
        case 405: "This address is for something else."
        case 408: "The rest of the form has not arrived."
        case 413: "That is more than fits here."
        default: "Something went wrong on this site."
        }
    }

    private static let fields: [HTTPField] = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: """
            default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
            form-action 'self'; base-uri 'none'; frame-ancestors 'none'
            """,
            .xContentTypeOptions: "nosniff",
        ]
        let others = [
            "Referrer-Policy": "same-origin", "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
            "Cross-Origin-Opener-Policy": "same-origin",
        ]
        for (name, value) in others {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return Array(fields)
    }()
}
