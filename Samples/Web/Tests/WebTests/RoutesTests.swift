import Baton
import HTML
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Web

/// Which addresses and methods there are.
@Suite(.timeLimit(.minutes(20))) struct RoutesTests {
    private let site: Site

    init() throws {
        site = Site(
            network: try EmbeddedService(), freshFor: .seconds(60), telemetry: Telemetry(logger: Logger(label: "test")))
    }

    private func application(_ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        try await Application(router: Routes(site: site).router).test(.router) { try await body(Client(client: $0)) }
    }

    @Test func aMethodThatAnAddressDoesNotHaveIsRefusedWithThoseThatItHas() async throws {
        try await application { client in
            let cases: [(String, [HTTPRequest.Method], String)] = [
                ("/", [.post, .put, .delete, .patch, .options, .trace], "GET, HEAD"),
                ("/films/film:1", [.post, .put, .delete], "GET, HEAD"),
                ("/films/film:1/reviews", [.put], "GET, HEAD, POST"), ("/sign-out", [.get, .head, .put], "POST"),
                ("/films/film:1/favorite", [.get, .delete], "POST"),
            ]
            for (path, methods, allowed) in cases {
                for method in methods {
                    let answer = try await client.send(path, method)
                    #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
                    #expect(answer.headers[.allow] == allowed, "\(method) \(path)")
                }
            }
            for path in ["/", "/films/film:1", "/sign-in", "/robots.txt"] {
                #expect(try await client.send(path, .head).status == .ok)
            }
        }
    }

    /// Whoever keeps a connection, such as a balancer, goes to another process then.
    @Test func noConnectionIsKeptWhileTheSiteDrains() async throws {
        try await application { client in
            func connection(_ path: String) async throws -> String? {
                let headers = try await client.get(path).headers
                return headers[.connection]
            }
            let paths = ["/", "/films/film:1", "/sign-in", "/nothing"]
            for path in paths { #expect(try await connection(path) == nil) }
            site.drain()
            for path in paths { #expect(try await connection(path) == "close") }
            let answer = try await client.post("/sign-in", "name=Ana")
            #expect(answer.headers[.connection] == "close")
        }
    }

    @Test func aPageHasOneAddress() async throws {
        try await application { client in
            for (path, address) in [
                ("/films/film%3A1", "/films/film:1"), ("/films/film:1/", "/films/film:1"),
                ("/films//film:1/cast?after=a", "/films/film:1/cast?after=a"), ("/%63haracters/", "/characters"),
                ("/films", "/"),
            ] {
                let answer = try await client.get(path)
                #expect(answer.status == .permanentRedirect || answer.status == .notFound, "\(path)")
                if answer.status == .permanentRedirect { #expect(answer.headers[.location] == address) }
            }
            #expect(try await client.get("/films/film%3A1").status == .permanentRedirect)
            #expect(try await client.get("/films/film:1/").status == .permanentRedirect)
            #expect(site.kept.size.pages == 0)
            for id in [String(repeating: "a", count: 7_000), "%00"] {
                #expect(try await client.get("/films/\(id)").status == .notFound)
            }
        }
    }

    @Test func aListHasNoPageBehindAPlaceThatItDoesNotHave() async throws {
        try await application { client in
            let next = try await client.get("/characters").text.range(of: "/characters?after=")
            #expect(next != nil)
            for path in ["/characters", "/films/film:4/cast", "/films/film:4/reviews"] {
                let answer = try await client.get(path + "?after=garbage")
                #expect(answer.status == .notFound, "\(path)")
            }
            let second = try await client.get("/films/film:4/cast?after=character:leia-organa")
            #expect(second.status == .ok && second.text.contains("From the beginning"))
        }
    }

    @Test func aBrowserSaysWhetherItReadsCompressedPages() {
        for header in ["gzip", "GZIP", "br, gzip;q=0.5", "*", "deflate, *;q=0.1", "x-gzip"] {
            #expect(PageRequest.acceptsGzip(header), "\(header)")
        }
        for header in [nil, "", "gzip;q=0", "br", "*;q=0", "gzip; q=0.000, *", "identity", "gzipped"] {
            #expect(!PageRequest.acceptsGzip(header), "\(header ?? "none")")
        }
    }

    @Test func aBrowserNamesTheVersionsThatItHas() async throws {
        try await application { client in
            for _ in 0..<2 { _ = try await client.get("/characters") }
            let version = try #require(try await client.get("/characters").headers[.eTag])
            for known in ["*", version, String(version.dropFirst(2)), "\"a\", \(version)"] {
                #expect(try await client.get("/characters", version: known).status == .notModified, "\(known)")
            }
            for known in ["\"*\"", "W/\"a\"", String(version.dropFirst(3))] {
                #expect(try await client.get("/characters", version: known).status == .ok, "\(known)")
            }
        }
    }

    @Test func searchingTakesWordsForWhatTheyAre() async throws {
        try await application { client in
            for text in ["+luke+", "luke++skywalker", "Luke%09Skywalker", "padme", "PADM%C3%89", "padme%CC%81"] {
                let page = try await client.get("/search?q=\(text)").text
                #expect(page.contains("class=\"character\""), "\(text)")
            }
            let nothing = try await client.get("/search?q=%E2%80%8B").text
            #expect(nothing.contains("Type a name"))
        }
    }

    @Test func whatNobodyCanUseIsNotEchoed() async throws {
        try await application { client in
            let long = "/" + String(repeating: "a", count: 60_000)
            let answer = try await client.post("/sign-in", "name=Ana&to=\(long)")
            #expect(answer.headers[.location] == "/")
        }
    }

    @Test func browsersFindTheFilesThatTheyAskForByThemselves() async throws {
        try await application { client in
            let (robots, icon) = (try await client.get("/robots.txt"), try await client.get("/favicon.ico"))
            #expect(robots.text.contains("User-agent") && icon.headers[.location] == Asset.icon.address.text)
        }
    }
}
