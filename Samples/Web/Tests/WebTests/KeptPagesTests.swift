import Baton
import HTML
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import Web

/// What is kept of the pages, and for whom.
@Suite(.timeLimit(.minutes(20))) struct KeptPagesTests {
    private let site: Site

    init() throws {
        site = Site(
            network: try EmbeddedService(), freshFor: .seconds(60), telemetry: Telemetry(logger: Logger(label: "test")))
    }

    private static let pages = [
        "/", "/?order=release", "/films/film:4", "/films/film:4?thanks=yes", "/films/film:4/cast",
        "/films/film:4/reviews", "/characters", "/search?q=sky", "/sign-in",
    ]

    private func application(_ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        try await Application(router: Routes(site: site).router).test(.router) { try await body(Client(client: $0)) }
    }

    /// The key of the form in a page.
    private func key(in text: String) -> Substring? {
        text.range(of: "form=\"review\" value=\"").map { text[$0.upperBound...].prefix(32) }
    }

    @Test func aPageIsKeptForThoseWhoAreNotSignedIn() async throws {
        try await application { client in
            for page in Self.pages {
                // The first view of a film is sent in parts.
                for _ in 0..<3 {
                    let answer = try await client.get(page)
                    #expect(answer.status == .ok, "\(page)")
                }
                let address = try #require(WebAddress(sent: page))
                #expect(site.kept.page(at: address) != nil, "\(page)")
            }
            #expect(site.kept.size.pages == Self.pages.count)
        }
    }

    @Test func nothingOfAVisitorIsInAPageOfAnother() async throws {
        try await application { client in
            let cookie = try await client.signIn("Planted Ana")
            _ = try await client.post("/films/film:4/favorite", "on=yes&to=/", cookie: cookie)
            for _ in 0..<3 {
                for page in Self.pages {
                    let own = try await client.get(page, cookie: cookie)
                    #expect(own.text.contains("Planted Ana"), "\(page)")
                    let other = try await client.get(page)
                    #expect(!other.text.contains("Planted") && !other.text.contains("class=\"favorite\""), "\(page)")
                    #expect(!other.text.contains("Sign out") && other.text.contains("Sign in"), "\(page)")
                }
            }
            let list = try await client.get("/", cookie: cookie)
            #expect(list.text.contains("aria-pressed=\"true\""))
            #expect(site.kept.size.pages == Self.pages.count)
        }
    }

    @Test func whatWasTypedIntoAFormIsInNoKeptPage() async throws {
        try await application { client in
            for page in Self.pages { _ = try await client.get(page) }
            let address = "/films/film:4/reviews"
            let refused = try await client.post(
                address, "stars=9&commentary=planted&key=\(String(repeating: "a", count: 32))")
            #expect(refused.status == .unprocessableContent && refused.text.contains("planted"))
            let nobody = try await client.post("/sign-in", "name=&to=/planted")
            #expect(nobody.status == .unprocessableContent)
            for page in Self.pages {
                let text = try await client.get(page).text
                #expect(!text.contains("planted") && !text.contains("aaaaaaaaaaaa"), "\(page)")
            }
        }
    }

    @Test func eachViewOfAFormHasAKeyOfItsOwn() async throws {
        try await application { client in
            var keys: [Substring] = []
            for _ in 0..<5 {
                let page = try await client.get("/films/film:4")
                keys.append(try #require(key(in: page.text)))
            }
            #expect(Set(keys).count == 5)
            let address = try #require(WebAddress(sent: "/films/film:4"))
            #expect(site.kept.page(at: address) != nil)
        }
    }

    @Test func aKeptPageEndsWithAChangeOfTheSharedData() async throws {
        try await application { client in
            for _ in 0..<3 {
                let page = try await client.get("/films/film:4")
                #expect(!page.text.contains("A new one"))
            }
            let form = "stars=1&commentary=A+new+one&key=\(String(repeating: "b", count: 32))"
            let answer = try await client.post("/films/film:4/reviews", form)
            let page = try await client.get("/films/film:4")
            #expect(answer.status == .seeOther && page.text.contains("A new one"))
        }
    }

    @Test func aBrowserIsNotSentWhatItHas() async throws {
        try await application { client in
            for page in ["/", "/films/film:4", "/characters"] {
                for _ in 0..<2 { _ = try await client.get(page) }
                let first = try await client.get(page)
                let version = try #require(first.headers[.eTag])
                let again = try await client.get(page, version: version)
                #expect(again.status == .notModified && again.text.isEmpty && again.headers[.eTag] == version)
                let other = try await client.get(page, version: "W/\"other\"")
                #expect(other.status == .ok)
            }
        }
    }

    @Test func anAddressThatIsNoneIsNoOtherPage() async throws {
        try await application { client in
            // Such a page is sent whole, as one that could be kept.
            for _ in 0..<2 { _ = try await client.get("/characters") }
            for address in ["/characters?a=\\", "/characters?b=\u{E9}", "//evil.example/", "/search?q=\\"] {
                _ = try await client.get(address)
            }
            let home = try await client.get("/")
            #expect(home.text.contains("<title>Nine episodes"))
            for (address, status) in [("/films/film:4?a=%zz", 400), ("/films/none", 404), ("/films/none", 404)] {
                let answer = try await client.get(address)
                #expect(answer.status.code == status)
            }
            #expect(site.kept.size.pages == 2)
        }
    }

    @Test func pagesAreDroppedWhenThereAreTooMany() async throws {
        let few = KeptPages(shared: site.shared, mostPages: 10)
        for number in 0..<40 { _ = try await few.page("/sign-in?to=/\(number)") }
        #expect(few.size.pages <= 10)
        #expect(few.page(at: .home.with("page", "39")) == nil)
        let newest = try #require(WebAddress(sent: "/sign-in?to=/39"))
        #expect(few.page(at: newest) != nil)
        let small = KeptPages(shared: site.shared, mostBytes: 50_000)
        for number in 0..<40 { _ = try await small.page("/sign-in?to=/\(number)") }
        #expect(small.size.pages > 1 && small.size.bytes <= 50_000)
    }

    @Test func thoseWhoWaitShareOneRendering() async throws {
        let page = CountedPage()
        let address = try await PageAddress.of("/sign-in")
        let kept = site.kept
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await kept.make({ _ in page }, at: address) != nil } }
            for try await isThere in group { #expect(isThere) }
        }
        // A request that decides while a rendering ends may make one more.
        #expect(page.renderings.value.load(ordering: .relaxed) < 5)
    }
}

/// Counts how often it is made.
private struct CountedPage: Page {
    final class Count: Sendable { let value = Atomic(0) }

    let renderings = Count()
    var queries: [any GraphQLQuery] { [] }

    func content(_ visit: Visit) -> Content {
        renderings.value.add(1, ordering: .relaxed)
        return Content(title: "A", description: "B", body: "C")
    }
}

extension KeptPages {
    /// The page for signing in, at one of its addresses.
    fileprivate func page(_ address: String) async throws -> KeptPage? {
        try await make({ SignInPage(back: $0.parameters["to"].flatMap { WebAddress(sent: $0) }) }, at: .of(address))
    }
}
