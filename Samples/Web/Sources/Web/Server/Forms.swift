import Baton
import HTML
import HTTPTypes
import Hummingbird
import StarWarsComponents

/// What visitors send. Each answer is a page, or leads to one.
struct Forms {
    /// The longest time that a visitor waits for the outcome, and that the GraphQL server has for the review.
    private static let (patience, longestWork) = (Duration.seconds(2), Duration.seconds(30))

    let site: Site

    // MARK: - Reviews

    func review(_ request: Request, _ id: String) async throws -> Response {
        let reply = Reply(site: site, request: PageRequest(request, site.sessions))
        var form = ReviewForm(try await fields(of: request))
        // A form without a key comes from no page of this site; it is added once for each time it is sent.
        let key = form.key ?? Token().text
        form.key = key
        guard let stars = form.checked() else {
            return await reply.show(ReviewPage(id: id, form: form, status: 422, text: "Something in it is not right."))
        }
        if let problem = await problem(with: id) {
            if problem.status == 404 { return await reply.show(problem) }
            return await reply.show(ReviewPage(id: id, form: form, status: problem.status, text: problem.text))
        }
        let commentary = form.commentary.replacing("\r\n", with: "\n")
        let input = CreateReviewInput(filmId: id, stars: stars, commentary: commentary.isEmpty ? nil : commentary)
        let outcome = await site.submissions.submit(key, within: Self.patience) { [shared = site.shared] in
            await Self.add(input, key, to: shared.environment)
        }
        switch outcome {
        case .success:
            let page = WebAddress("films", id).with("thanks", "yes").at("reviews-title")
            return Response(status: .seeOther, headers: [.location: page.text])
        case .failure(let error):
            let failure = error.publicFailure
            let text = "\(failure.text) Your review is still here; sending it again adds it once."
            return await reply.show(ReviewPage(id: id, form: form, status: failure.status, text: text))
        case nil:
            let text = """
                It takes long, and nobody knows yet whether your review has arrived. Send it again in a moment: it is added \
                once, however often you do.
                """
            return await reply.show(ReviewPage(id: id, form: form, status: 504, text: text))
        }
    }

    /// The reason why there can be no review of this film; nil if there is none.
    private func problem(with id: String) async -> PageError? {
        do throws(RelayError) {
            let environment = try await site.shared.environment(with: FilmPage.query(id))
            let films = QueryHandle<FilmDetailQuery>(in: environment, fetchPolicy: .storeOnly)
            let film = films.get(FilmPage.query(id).variables).data?.film
            return film == nil ? .notFound("There is no such film.") : nil
        } catch {
            return PageError(error.publicFailure)
        }
    }

    /// Commits in the shared environment, since everybody sees the review.
    private static func add(
        _ input: CreateReviewInput, _ key: String, to environment: RelayEnvironment
    ) async -> Submissions.Outcome {
        do throws(RelayError) {
            let configuration = RequestConfiguration(timeout: longestWork, idempotencyKey: key)
            let response = try await environment.commit(ReviewFormMutation(input: input), configuration: configuration)
            guard response.data?.createReview != nil else { return .failure(.noData(response.errors)) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    // MARK: - Favourites

    func favorite(_ request: Request, _ id: String) async throws -> Response {
        let page = PageRequest(request, site.sessions)
        let fields = try await fields(of: request)
        let back = fields["to"].flatMap { WebAddress(sent: $0) } ?? WebAddress("films", id)
        guard let token = page.token, page.visitor != nil else {
            return Response(
                status: .seeOther, headers: [.location: WebAddress("sign-in").with("to", back.text).text])
        }
        site.sessions.mark(id, fields["on"] != "no", for: token)
        return Response(status: .seeOther, headers: [.location: back.text])
    }

    // MARK: - Sessions

    func signIn(_ request: Request) async throws -> Response {
        let fields = try await fields(of: request)
        let back = fields["to"].flatMap { WebAddress(sent: $0) }
        guard let name = Visitor.name(from: fields["name"] ?? "") else {
            let page = SignInPage(
                name: fields["name"] ?? "", problem: "Type a name of up to 40 characters.", back: back)
            return await Reply(site: site, request: PageRequest(request, site.sessions)).show(page)
        }
        let isSecure = request.headers[.origin]?.hasPrefix("https:") == true
        let cookie = Cookie(
            name: PageRequest.cookie, value: site.sessions.begin(Visitor(name: name)).text, path: "/", secure: isSecure,
            httpOnly: true, sameSite: .lax)
        var response = Response(status: .seeOther, headers: [.location: (back ?? .home).text])
        response.setCookie(cookie)
        return response
    }

    func signOut(_ request: Request) async throws -> Response {
        _ = try await fields(of: request)
        if let token = PageRequest(request, site.sessions).token { site.sessions.end(token) }
        var response = Response(status: .seeOther, headers: [.location: WebAddress.home.text])
        response.setCookie(
            Cookie(name: PageRequest.cookie, value: "", maxAge: 0, path: "/", httpOnly: true, sameSite: .lax))
        return response
    }

    // MARK: - Fields

    /// The fields of a form that a page of this site has sent.
    private func fields(of request: Request) async throws -> Parameters {
        guard PageRequest.isFromHere(request) else { throw HTTPError(.forbidden) }
        let type = request.headers[.contentType] ?? ""
        guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else { throw HTTPError(.badRequest) }
        let body = try await request.body.collect(upTo: 64 << 10)
        guard let fields = Parameters(encoded: String(buffer: body)) else { throw HTTPError(.badRequest) }
        return fields
    }
}
