import Baton
import HTML
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import Web

/// What becomes of what visitors send.
@Suite(.timeLimit(.minutes(20))) struct FormsTests {
    private let site: Site

    init() throws {
        site = Site(
            network: try EmbeddedService(), freshFor: .seconds(60), telemetry: Telemetry(logger: Logger(label: "test")))
    }

    private func application(_ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        try await Application(router: Routes(site: site).router).test(.router) { try await body(Client(client: $0)) }
    }

    private static let key = "&key=" + String(repeating: "c", count: 32)

    @Test func aKeyStandsForOneFilmAndOneText() async throws {
        try await application { client in
            let first = "stars=4&commentary=First+words" + Self.key
            for (film, form) in [
                ("film:7", first), ("film:7", first), ("film:7", "stars=1&commentary=Second+words" + Self.key),
                ("film:8", first),
            ] {
                let answer = try await client.post("/films/\(film)/reviews", form)
                #expect(answer.status == .seeOther)
            }
            let seventh = try await client.get("/films/film:7/reviews").text
            #expect(seventh.components(separatedBy: "First words").count == 2 && seventh.contains("Second words"))
            let eighth = try await client.get("/films/film:8/reviews").text
            #expect(eighth.contains("First words"))
        }
    }

    /// The page may have been loaded again after Back, so that the form has another key.
    @Test func whoGoesBackAndSendsAgainAddsAReviewOnce() async throws {
        try await application { client in
            func send(_ text: String, key: String, cookie: String?) async throws -> Client.Answer {
                let form = "stars=4&commentary=\(text)&key=" + String(repeating: key, count: 32)
                return try await client.post("/films/film:6/reviews", form, cookie: cookie)
            }
            let first = try await send("Once+only", key: "a", cookie: nil)
            let sent = try #require(first.headers[values: .setCookie].first { $0.hasPrefix("sent=") })
            #expect(sent.contains("Path=/films/film:6") && sent.contains("HttpOnly"))
            let cookie = String(sent.prefix { $0 != ";" })
            let again = try await send("Once+only", key: "b", cookie: cookie)
            #expect(again.status == .seeOther && again.headers[.location] == first.headers[.location])
            #expect(try await send("Another+one", key: "b", cookie: cookie).status == .seeOther)
            let other = "sent=" + String(repeating: "a.", count: 900)
            #expect(try await send("Once+only", key: "d", cookie: other).status == .seeOther)
            let list = try await client.get("/films/film:6/reviews").text
            // Once by this browser, and once by another one.
            #expect(list.components(separatedBy: "Once only").count == 3 && list.contains("Another one"))
        }
    }

    /// The GraphQL server has added the review, and its answer was lost.
    @Test func aReviewOfWhichNobodyKnowsKeepsItsKey() async throws {
        let server = LosesAnswers(try EmbeddedService())
        let site = Site(
            network: server, freshFor: .seconds(60), telemetry: Telemetry(logger: Logger(label: "test")))
        try await Application(router: Routes(site: site).router).test(.router) { test in
            let client = Client(client: test)
            func send(_ text: String, key: String, cookie: String?) async throws -> Client.Answer {
                let form = "stars=4&commentary=\(text)&key=" + String(repeating: key, count: 32)
                return try await client.post("/films/film:6/reviews", form, cookie: cookie)
            }
            func cookie(_ answer: Client.Answer) throws -> String {
                let sent = try #require(answer.headers[values: .setCookie].first { $0.hasPrefix("sent=") })
                return String(sent.prefix { $0 != ";" })
            }
            server.isLosing.store(true, ordering: .relaxed)
            let first = try await send("Lost+answer", key: "a", cookie: nil)
            #expect(first.status.code >= 500)
            let other = try await send("Other+words", key: "b", cookie: cookie(first))
            server.isLosing.store(false, ordering: .relaxed)
            let last = try await send("Lost+answer", key: "c", cookie: cookie(other))
            #expect(last.status == .seeOther)
            let again = try await send("Lost+answer", key: "d", cookie: cookie(last))
            #expect(again.status == .seeOther)
            let keys = server.keys.withLock(\.self)
            #expect(keys.count == 3 && keys[0] == keys[2] && keys[0] != keys[1])
        }
    }

    @Test func theListOfAllReviewsHasANewOneAtOnce() async throws {
        try await application { client in
            let list = "/films/film:9/reviews"
            for _ in 0..<2 { #expect(try await !client.get(list).text.contains("Just now")) }
            _ = try await client.post(list, "stars=5&commentary=Just+now" + Self.key)
            #expect(try await client.get(list).text.contains("Just now"))
        }
    }

    @Test func onlyWhoHasWrittenAReviewIsThanked() async throws {
        try await application { client in
            let answer = try await client.post("/films/film:8/reviews", "stars=5&commentary=Thanks" + Self.key)
            let cookie = try #require(answer.headers[.setCookie])
            #expect(answer.headers[.location] == "/films/film:8#reviews-title" && cookie.contains("Path=/films/film:8"))
            for _ in 0..<2 { #expect(try await !client.get("/films/film:8").text.contains("Thank you")) }
            let own = try await client.get("/films/film:8", cookie: "thanks=yes")
            #expect(own.text.contains("Thank you") && own.headers[.cacheControl] == "no-store")
            let end = try #require(own.headers[.setCookie])
            #expect(end.contains("Max-Age=0") && end.contains("Path=/films/film:8"))
            #expect(try await !client.get("/films/film:8").text.contains("Thank you"))
        }
    }

    @Test func onlyAFilmThatExistsIsMarked() async throws {
        try await application { client in
            let cookie = try await client.signIn("Ana")
            let token = try #require(Token(sent: String(cookie.drop { $0 != "=" }.dropFirst())))
            for id in ["nope", String(repeating: "a", count: 60_000), "%00"] {
                let answer = try await client.post("/films/\(id)/favorite", "on=yes", cookie: cookie)
                #expect(answer.status == .notFound)
            }
            #expect(try await site.sessions.visitor(token)?.favorites == [])
            let answer = try await client.post("/films/film:5/favorite", "on=yes", cookie: cookie)
            #expect(answer.status == .seeOther)
            #expect(try await site.sessions.visitor(token)?.favorites == ["film:5"])
        }
    }

    @Test func aFilmThatDoesNotExistIsNamedBeforeTheMistakesInItsReview() async throws {
        try await application { client in
            #expect(try await client.post("/films/film:99/reviews", "stars=").status == .notFound)
            let answer = try await client.post("/films/film:4/reviews", "stars=")
            #expect(answer.status == .unprocessableContent && answer.text.contains("A New Hope"))
        }
    }

    @Test func starsAreOneDigit() async throws {
        try await application { client in
            for stars in ["%2B3", "003", "3+", "0", "6", "%D9%A3"] {
                let answer = try await client.post("/films/film:4/reviews", "stars=\(stars)")
                #expect(answer.status == .unprocessableContent, "\(stars)")
            }
        }
    }

    @Test func aReviewInWhichNothingCanBeReadIsOneWithoutWords() {
        func text(_ commentary: String) -> String? {
            var form = ReviewForm()
            form.commentary = commentary
            return form.text
        }
        for blank in ["", "   ", "\r\n\r\n", "\u{200B}", "\u{3164}", "\u{2800}", "\0"] { #expect(text(blank) == nil) }
        #expect(text("a\0b\r\n\r\n\u{202E}c") == "ab\n\nc")
        #expect(text("\u{1F469}\u{200D}\u{1F680}") == "\u{1F469}\u{200D}\u{1F680}")
    }

    @Test func aNameCanBeSeen() {
        for blank in ["", " ", "\u{200B}", "\u{202E}\u{2066}", "\u{3164} \u{2800}"] {
            #expect(Visitor.name(from: blank) == nil)
        }
        #expect(Visitor.name(from: " A\u{202E}na \u{200B} B ") == "Ana B")
        #expect(Visitor.name(from: String(repeating: "a", count: 41)) == nil)
    }

    // MARK: - Sessions

    @Test func signingInAgainEndsTheSessionBefore() async throws {
        try await application { client in
            let first = try await client.signIn("Ana")
            let second = try await client.post("/sign-in", "name=Ben", cookie: first)
            #expect(second.status == .seeOther && second.headers[.cacheControl] == "no-store")
            #expect(try await !client.get("/", cookie: first).text.contains("Ana"))
        }
    }

    @Test func whoIsSignedInIsNotAskedForANameAgain() async throws {
        try await application { client in
            let cookie = try await client.signIn("Ana")
            let page = try await client.get("/sign-in?to=/characters", cookie: cookie)
            #expect(!page.text.contains("name=\"name\"") && page.text.contains("href=\"/characters\">Go on"))
        }
    }

    @Test func aSessionEndsAfterATimeWithoutUse() throws {
        let began = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let sessions = Sessions(lifetime: .seconds(100)) { began + passed.withLock(\.self) }
        let token = sessions.begin(Visitor(name: "Ana"))
        for seconds in [60, 120, 180] {
            passed.withLock { $0 = .seconds(seconds) }
            #expect(sessions.visitor(token)?.name == "Ana")
        }
        passed.withLock { $0 = .seconds(281) }
        #expect(sessions.visitor(token) == nil)
    }

    @Test func aPageOfAVisitorIsKeptByNoBrowser() async throws {
        try await application { client in
            let cookie = try await client.signIn("Ana")
            for path in ["/", "/films/film:4", "/nothing"] {
                #expect(try await client.get(path, cookie: cookie).headers[.cacheControl] == "no-store")
            }
            #expect(try await client.post("/sign-out", "", cookie: cookie).headers[.cacheControl] == "no-store")
        }
    }

    @Test func aListOfFavoritesWithoutOneSaysWhy() async throws {
        try await application { client in
            let cookie = try await client.signIn("Ana")
            #expect(try await client.get("/?mine=yes&trilogy=sequel", cookie: cookie).text.contains("no film yet"))
            let heart = try await client.post(
                "/films/film:1/favorite", "on=yes&to=/%23favorite-film:1", cookie: cookie)
            #expect(heart.headers[.location] == "/#favorite-film:1")
            let page = try await client.get("/?mine=yes&trilogy=sequel", cookie: cookie).text
            #expect(!page.contains("no film yet") && page.contains("None of your favourites"))
            let all = try await client.get("/?mine=yes", cookie: cookie).text
            #expect(all.contains(">1 favourite<") && all.contains("id=\"favorite-film:1\""))
        }
    }

    @Test func aCookieIsSecureBehindAProxyThatSpeaksTLS() async throws {
        try await application { client in
            let form = [("Content-Type", "application/x-www-form-urlencoded"), ("Origin", "https://localhost")]
            for origin in ["https://localhost", "ftp://localhost", "http://localhost.evil.example"] {
                let answer = try await client.send("/sign-out", .post, [form[0], ("Origin", origin)])
                #expect(answer.status == .forbidden, "\(origin)")
            }
            let answer = try await client.send("/sign-out", .post, form + [("X-Forwarded-Proto", "https")])
            #expect(answer.status == .seeOther && answer.headers[.strictTransportSecurity] != nil)
            #expect(try await client.get("/").headers[.strictTransportSecurity] == nil)
        }
    }
}

/// Loses the answers to mutations when it is told to, and keeps their keys.
private final class LosesAnswers: NetworkLayer {
    let isLosing = Atomic(false)
    let keys = Mutex<[String]>([])
    private let service: EmbeddedService

    init(_ service: EmbeddedService) { self.service = service }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        guard request.kind == .mutation else { return try await service.send(request) }
        keys.withLock { $0.append(request.idempotencyKey ?? "") }
        let answer = try await service.send(request)
        guard !isLosing.load(ordering: .relaxed) else { throw RelayError.noResponse }
        return answer
    }
}
