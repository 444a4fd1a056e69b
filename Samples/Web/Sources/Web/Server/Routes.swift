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
        addFiles(to: router)
        router.get("/films/:id/live") { [site] request, context in
            let id = try id(context)
            // Where nobody knows whether there is the film, the page waits with the others.
            guard await Forms(site: site).mayExist(id) else { throw HTTPError(.notFound) }
            return site.live.response(to: request, id)
        }
        refuseOtherMethods(in: router)
        return router
    }

    private func id(_ context: BasicRequestContext) throws -> String {
        let id = try context.parameters.require("id")
        guard id.utf8.count <= Self.longestID else { throw HTTPError(.notFound) }
        return id.removingPercentEncoding ?? id
    }

    /// Nothing has a longer identifier, so nobody is asked for it.
    private static let longestID = 200

    // MARK: - Methods

    private static let pages: [RouterPath] = [
        "/", "/films/:id", "/films/:id/cast", "/films/:id/reviews", "/characters", "/characters/:id", "/search",
        "/sign-in", "/films/:id/live", "/films", "/assets/:name", "/robots.txt", "/favicon.ico",
    ]
    private static let forms: [RouterPath] = [
        "/films/:id/reviews", "/films/:id/favorite", "/sign-in", "/sign-out",
    ]

    /// Answers the methods that an address does not have.
    private func refuseOtherMethods(in router: Router<BasicRequestContext>) {
        let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
        for path in Set((Self.pages + Self.forms).map(\.description)) {
            let isPage = Self.pages.contains { $0.description == path }
            let isForm = Self.forms.contains { $0.description == path }
            let allowed: [HTTPRequest.Method] = (isPage ? [.get, .head] : []) + (isForm ? [.post] : [])
            // A path with GET has HEAD by itself.
            for method in methods where !allowed.contains(method) && !(method == .head && !isPage) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in throw WrongMethod(allowed: allowed) }
            }
        }
    }

    // MARK: - Pages

    private func addPages(to router: Router<BasicRequestContext>) {
        add("/", to: router) { FilmListPage($0.parameters) }
        add("/films/:id", to: router) { FilmPage(id: $0.id) }
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
            let page = await PageRequest(request, site.sessions)
            let id = context.parameters.get("id")
            guard id.map({ $0.utf8.count <= Self.longestID }) ?? true else { throw HTTPError(.notFound) }
            return await Reply(site: site, request: page).show(make) {
                PageAddress.read(page, path: request.uri.path, query: request.uri.query, id: id)
            }
        }
    }

    /// What browsers and search engines ask for beside the pages.
    private func addFiles(to router: Router<BasicRequestContext>) {
        router.get("/assets/:name") { [site] request, context in
            let name = try context.parameters.require("name")
            guard let asset = Asset.all.first(where: { $0.address.text.hasSuffix("/" + name) }) else {
                throw HTTPError(.notFound)
            }
            return asset.response(await PageRequest(request, site.sessions))
        }
        router.get("/films") { _, _ in Reply.moved(to: .home) }
        router.get("/favicon.ico") { _, _ in Reply.moved(to: Asset.icon.address) }
        router.get("/robots.txt") { _, _ in
            let text = "User-agent: *\nDisallow: /search\nDisallow: /sign-in\n"
            return Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "max-age=86400"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
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
