import Foundation
import HTML
import HTTPTypes
import Hummingbird

/// The addresses of the site.
struct Routes {
    let site: Site

    var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: Envelope(site: site))
        addPages(to: router)
        addForms(to: router)
        let live = LiveReviews(site: site)
        router.get("/films/:id/live") { _, context in live.response(try id(context)) }
        router.get("/assets/:name") { request, context in
            let name = try context.parameters.require("name")
            guard let asset = Asset.all.first(where: { $0.address.text.hasSuffix("/" + name) }) else {
                throw HTTPError(.notFound)
            }
            return asset.response(PageRequest(request, site.sessions))
        }
        return router
    }

    private func id(_ context: BasicRequestContext) throws -> String {
        let id = try context.parameters.require("id")
        return id.removingPercentEncoding ?? id
    }

    private func addPages(to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in await show(request) { FilmListPage($0) } }
        router.get("/films/:id") { request, context in
            let id = try id(context)
            return await show(request) { FilmPage(id: id, isThanking: $0["thanks"] == "yes") }
        }
        router.get("/films/:id/cast") { request, context in
            let id = try id(context)
            return await show(request) { FilmCastPage(id: id, after: $0["after"]) }
        }
        router.get("/films/:id/reviews") { request, context in
            let id = try id(context)
            return await show(request) { ReviewListPage(id: id, after: $0["after"]) }
        }
        router.get("/characters") { request, _ in await show(request) { CharacterListPage(after: $0["after"]) } }
        router.get("/characters/:id") { request, context in
            let id = try id(context)
            return await show(request) { _ in CharacterPage(id: id) }
        }
        router.get("/search") { request, _ in await show(request) { SearchPage($0["q"]) } }
        router.get("/sign-in") { request, _ in
            await show(request) { SignInPage(back: $0["to"].flatMap { WebAddress(sent: $0) }) }
        }
    }

    private func show(_ request: Request, _ page: (Parameters) -> some Page) async -> Response {
        guard Parameters(encoded: request.uri.query) != nil else {
            let text = "The address has a part that cannot be read."
            return await Reply(site: site, request: PageRequest(request, site.sessions)).show(
                PageError(status: 400, text: text))
        }
        let request = PageRequest(request, site.sessions)
        return await Reply(site: site, request: request).show(page(request.parameters))
    }

    private func addForms(to router: Router<BasicRequestContext>) {
        let forms = Forms(site: site)
        router.post("/films/:id/reviews") { request, context in try await forms.review(request, try id(context)) }
        router.post("/films/:id/favorite") { request, context in try await forms.favorite(request, try id(context)) }
        router.post("/sign-in") { request, _ in try await forms.signIn(request) }
        router.post("/sign-out") { request, _ in try await forms.signOut(request) }
    }
}
