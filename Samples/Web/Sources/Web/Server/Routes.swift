import Foundation
import HTML
import HTTPTypes
import Hummingbird
import ServerKit

/// The addresses of the site.
struct Routes {
    let site: Site
    var health = Health()

    var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        // What is added before the middleware concerns no visitor.
        health.add(to: router)
        if site.telemetry.isOn { router.add(middleware: RequestWatch(telemetry: site.telemetry)) }
        router.add(middleware: Envelope(site: site))
        addPages(to: router)
        addForms(to: router)
        router.get("/films/:id/live") { [site] request, context in site.live.response(to: request, try id(context)) }
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
        add("/", to: router) { FilmListPage($0.parameters) }
        add("/films/:id", to: router) { FilmPage(id: $0.id, isThanking: $0["thanks"] == "yes") }
        add("/films/:id/cast", to: router) { FilmCastPage(id: $0.id, after: $0["after"]) }
        add("/films/:id/reviews", to: router) { ReviewListPage(id: $0.id, after: $0["after"]) }
        add("/characters", to: router) { CharacterListPage(after: $0["after"]) }
        add("/characters/:id", to: router) { CharacterPage(id: $0.id) }
        add("/search", to: router) { SearchPage($0["q"]) }
        add("/sign-in", to: router) { SignInPage(back: $0["to"].flatMap { WebAddress(sent: $0) }) }
    }

    /// Adds a page that is made of nothing but its address and the shared data, so that it may be kept.
    private func add(
        _ path: RouterPath, to router: Router<BasicRequestContext>,
        _ make: @escaping @Sendable (PageAddress) -> some Page
    ) {
        router.get(path) { [site] request, context in
            let page = PageRequest(request, site.sessions)
            return await Reply(site: site, request: page).show(make) {
                PageAddress(page, query: request.uri.query, id: context.parameters.get("id"))
            }
        }
    }

    private func addForms(to router: Router<BasicRequestContext>) {
        let forms = Forms(site: site)
        router.post("/films/:id/reviews") { request, context in try await forms.review(request, try id(context)) }
        router.post("/films/:id/favorite") { request, context in try await forms.favorite(request, try id(context)) }
        router.post("/sign-in") { request, _ in try await forms.signIn(request) }
        router.post("/sign-out") { request, _ in try await forms.signOut(request) }
    }
}
