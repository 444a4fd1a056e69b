import Baton
import HTML
import HTTPTypes
import Hummingbird
import StarWarsComponents

/// What visitors send. Each answer is a page, or leads to one.
struct Forms {
    /// The longest time that a visitor waits for the outcome, and that the GraphQL server has for the review.
    private static let (patience, longestWork) = (Duration.seconds(2), Duration.seconds(30))
    /// The longest time in which a form arrives.
    private static let longestBody = Duration.seconds(20)

    let site: Site

    // MARK: - Reviews

    func review(_ request: Request, _ id: String) async throws -> Response {
        let reply = Reply(site: site, request: await PageRequest(request, site.sessions))
        var form = ReviewForm(try await fields(of: request))
        let sent = SentReviews(request)
        // Whoever goes back and sends the form again has the page anew perhaps, with another key. A form without a key
        // comes from no page of this site; it is added once for each time it is sent.
        form.key = sent.key(of: form, of: id) ?? form.key ?? Token().text
        let (title, problem): (String?, PageError?)
        do throws(PageError) { (title, problem) = (try await self.title(of: id), nil) } catch {
            if error.status == 404 { return await reply.show(error) }
            (title, problem) = (nil, error)
        }
        func refused(_ status: Int, _ text: String) async -> Response {
            await reply.show(ReviewPage(id: id, film: title, form: form, status: status, text: text))
        }
        guard let stars = form.checked(), let key = form.submissionKey(id) else {
            return await refused(422, "Something in it is not right.")
        }
        if let problem { return await refused(problem.status, problem.text) }
        if sent.has(form, of: id) { return thanking(id, sent) }
        func unknown(_ status: Int, _ text: String) async -> Response {
            var response = await refused(status, text)
            response.setCookie(sent.adding(form, of: id, key: form.key).cookie(at: WebAddress("films", id).text))
            return response
        }
        let input = CreateReviewInput(filmId: id, stars: stars, commentary: form.text)
        let outcome = await site.submissions.submit(key, within: Self.patience) { [shared = site.shared] in
            await Self.add(input, key, to: shared.environment)
        }
        switch outcome {
        case .success: return thanking(id, sent.adding(form, of: id))
        case .failure(let error):
            let failure = error.publicFailure
            let text = "\(failure.text) Your review is still here; sending it again adds it once."
            return await unknown(failure.status, text)
        case nil:
            let text = """
                It takes long, and nobody knows yet whether your review has arrived. Send it again in a moment: it is added \
                once, however often you do.
                """
            return await unknown(504, text)
        }
    }

    /// Leads to the review on the page of the film.
    private func thanking(_ id: String, _ sent: SentReviews) -> Response {
        let page = WebAddress("films", id)
        var response = Self.leading(to: page.at("reviews-title"))
        response.setCookie(Reply.thanks(at: page.text))
        response.setCookie(sent.cookie(at: page.text))
        return response
    }

    /// False if the GraphQL server knows no such film.
    func mayExist(_ id: String) async -> Bool {
        do throws(PageError) { return try await !title(of: id).isEmpty } catch { return error.status != 404 }
    }

    /// The title of a film, or the reason why nothing can be done with it.
    private func title(of id: String) async throws(PageError) -> String {
        do throws(RelayError) {
            let environment = try await site.shared.environment(with: FilmPage.query(id))
            let films = QueryHandle<FilmDetailQuery>(in: environment, fetchPolicy: .storeOnly)
            if let film = films.get(FilmPage.query(id).variables).data?.film { return film.title }
        } catch {
            throw PageError(error.publicFailure)
        }
        throw .notFound("There is no such film.")
    }

    /// Commits in the shared environment, since everybody sees the review.
    private static func add(
        _ input: CreateReviewInput, _ key: String, to environment: RelayEnvironment
    ) async -> Submissions.Outcome {
        do throws(RelayError) {
            let configuration = RequestConfiguration(timeout: longestWork, idempotencyKey: key)
            let response = try await environment.commit(ReviewFormMutation(input: input), configuration: configuration)
            guard response.data?.createReview != nil else { return .failure(.noData(response.errors)) }
            // The response has the newest few reviews. The page with all of them begins with this one as well.
            let list = ReviewPageQuery(id: input.filmId, after: nil)
            _ = try? await environment.fetch(list, configuration: RequestConfiguration(timeout: patience))
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    // MARK: - Favourites

    func favorite(_ request: Request, _ id: String) async throws -> Response {
        let page = await PageRequest(request, site.sessions)
        let fields = try await fields(of: request)
        let back = fields["to"].flatMap { WebAddress(sent: $0) } ?? WebAddress("films", id)
        if page.isVisitorUnknown { return await Reply(site: site, request: page).show(Self.noSessions) }
        guard let token = page.token, page.visitor != nil else {
            return Self.leading(to: WebAddress("sign-in").with("to", back.text))
        }
        // Only what exists is kept, so that a visitor takes no more room than there are films.
        do throws(PageError) { _ = try await title(of: id) } catch {
            return await Reply(site: site, request: page).show(error)
        }
        do { try await site.sessions.mark(id, fields["on"] != "no", for: token) } catch {
            return await Reply(site: site, request: page).show(Self.noSessions)
        }
        return Self.leading(to: back)
    }

    // MARK: - Sessions

    private static let noSessions = PageError(
        status: 503, text: "Nobody can sign in or out at the moment. Please try again soon.")

    func signIn(_ request: Request) async throws -> Response {
        let fields = try await fields(of: request)
        let back = fields["to"].flatMap { WebAddress(sent: $0) }
        guard let name = Visitor.name(from: fields["name"] ?? "") else {
            let page = SignInPage(
                name: fields["name"] ?? "", problem: "Type a name of up to 40 characters.", back: back)
            return await Reply(site: site, request: PageRequest(request, site.sessions)).show(page)
        }
        let visit = await PageRequest(request, site.sessions)
        let token: Token
        do {
            token = try await site.sessions.begin(Visitor(name: name))
            // Whoever signs in again leaves the session before.
            if let before = visit.token { try await site.sessions.end(before) }
        } catch {
            return await Reply(site: site, request: visit).show(Self.noSessions)
        }
        let cookie = Cookie(
            name: PageRequest.cookie, value: token.text, path: "/",
            secure: PageRequest.scheme(of: request) == "https", httpOnly: true, sameSite: .lax)
        var response = Self.leading(to: back ?? .home)
        response.setCookie(cookie)
        return response
    }

    func signOut(_ request: Request) async throws -> Response {
        _ = try await fields(of: request)
        let page = await PageRequest(request, site.sessions)
        // The cookie is kept if the session is: who is told that it has ended relies on that.
        do { if let token = page.token { try await site.sessions.end(token) } } catch {
            return await Reply(site: site, request: page).show(Self.noSessions)
        }
        var response = Self.leading(to: .home)
        response.setCookie(
            Cookie(name: PageRequest.cookie, value: "", maxAge: 0, path: "/", httpOnly: true, sameSite: .lax))
        return response
    }

    /// The answer after which the browser asks for another page. What it says of a visitor nobody keeps.
    private static func leading(to address: WebAddress) -> Response {
        Response(status: .seeOther, headers: [.location: address.text, .cacheControl: "no-store"])
    }

    // MARK: - Fields

    /// The fields of a form that a page of this site has sent.
    private func fields(of request: Request) async throws -> Parameters {
        guard PageRequest.isFromHere(request) else { throw HTTPError(.forbidden) }
        let type = request.headers[.contentType] ?? ""
        guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else { throw HTTPError(.badRequest) }
        let body = try await body(of: request)
        guard let fields = Parameters(encoded: String(buffer: body)) else { throw HTTPError(.badRequest) }
        return fields
    }

    /// The body, if all of it arrives in time.
    private func body(of request: Request) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            group.addTask { try await request.body.collect(upTo: 64 << 10) }
            group.addTask {
                try await Task.sleep(for: Self.longestBody)
                throw HTTPError(.requestTimeout)
            }
            defer { group.cancelAll() }
            guard let body = try await group.next() else { throw HTTPError(.badRequest) }
            return body
        }
    }
}
