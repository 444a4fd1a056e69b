import Baton
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the server.
struct Pages {
    private struct ReviewForm: Decodable {
        let stars: Int
        let commentary: String?
    }

    let site: Site
    /// The longest time for which a page waits for data.
    var timeout = Duration.seconds(5)

    var router: Router<BasicRequestContext> {
        let router = Router()
        router.get("/") { request, _ in
            try await show(request, "/") { FilmListPage($0) }
        }
        router.get("/films/:id") { request, context in
            let id = try id(in: context)
            return try await show(request, HTML.path("films", id)) {
                FilmPage(id, $0)
            } writing: { visit in
                if let preview = visit.preview { write(preview, for: id, in: visit.environment) }
            }
        }
        router.post("/films/:id/reviews") { request, context in
            try await review(request, context)
        }
        return router
    }

    private func id(in context: BasicRequestContext) throws -> String {
        let id = try context.parameters.require("id")
        return id.removingPercentEncoding ?? id
    }

    // MARK: - Pages

    /// Renders a page in an environment of its own, until it requests no further data. After that, `write` may change
    /// the data. The page is rendered again only if it has read changed data.
    private func show(
        _ request: Request, _ path: String, _ make: @Sendable (Visit) -> some Page,
        writing write: (@Sendable (Visit) -> Void)? = nil
    ) async throws -> Response {
        let counter = Counter()
        let environment = site.environment { event in
            if case .fetchStarted = event { counter.add() }
        }
        let query = request.uri.queryParameters
        let visit = Visit(
            environment: environment, path: path, key: query.get("key", as: Int.self),
            preview: query.get("preview", as: Double.self))
        let page = make(visit)
        let draw = { environment.track { page.contents() } }
        var rendering = await environment.render(timeout: timeout, draw)
        write?(visit)
        if rendering.page.changed.hasChanged { rendering = await environment.render(timeout: timeout, draw) }
        return response(rendering.document(of: environment, requests: counter.value))
    }

    /// Writes a rating that only this request sees.
    private func write(_ stars: Double, for id: String, in environment: RelayEnvironment) {
        guard stars.isFinite else { return }
        _ = try? environment.update { store in
            try store.get("Film", id: id)?.setValue(.double(stars), forField: "averageStars")
        }
    }

    // MARK: - Reviews

    /// Posts a review and sends the browser back to the page, with a fetch key that no earlier page has had.
    private func review(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        // A form of another site must not post here. Browsers state the origin of a request in this field.
        if let name = HTTPField.Name("Sec-Fetch-Site"), let origin = request.headers[name],
            origin != "same-origin", origin != "none"
        {
            throw HTTPError(.forbidden)
        }
        let id = try id(in: context)
        let form = try await URLEncodedFormDecoder().decode(ReviewForm.self, from: request, context: context)
        let environment = site.environment()
        let input = CreateReviewInput(filmId: id, stars: form.stars, commentary: form.commentary)
        do {
            let response = try await environment.commit(FilmDetailReviewMutation(input: input))
            if let error = response.errors.first { return failure(error.message) }
        } catch {
            return failure(error.description)
        }
        await site.refresh()
        let key = Int(Date().timeIntervalSince1970 * 1000)
        return Response(status: .seeOther, headers: [.location: "\(HTML.path("films", id))?key=\(key)"])
    }

    private func failure(_ reason: String) -> Response {
        let document: HTML = "<!DOCTYPE html><title>Failed</title><p id=\"failure\">\(reason)</p>"
        return response(document, status: .badGateway)
    }

    private func response(_ document: HTML, status: HTTPResponse.Status = .ok) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = "default-src 'none'; form-action 'self'; base-uri 'none'"
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: document.text)))
    }
}
