import Baton
import BatonTesting
import BatonTestingTraits
import Foundation
import StarWarsComponents
import Synchronization
import Testing

private let saga: World = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let file = root.appending(path: "Samples/StarWarsComponents/Schema/schema.graphql")
    guard let text = try? String(contentsOf: file, encoding: .utf8), let world = try? World(schema: text) else {
        preconditionFailure("the schema of the samples is not there")
    }
    return world
}()

private actor Screen {
    private(set) var titles: [String?] = []

    func show(_ title: String?) { titles.append(title) }
}

/// Keeps the handle of a test beyond the test.
private final class Kept: Sendable {
    let handle = Mutex<QueryHandle<FilmDetailQuery>?>(nil)
}

@Suite("MockEnvironment")
struct MockEnvironmentTests {
    private let world: World
    private let mock: MockEnvironment

    init() throws {
        world = try saga.another(seed: 1)
        mock = MockEnvironment(world: world)
    }

    @Test("a request waits, and is resolved with the data of the world")
    func resolve() async throws {
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
        #expect(film.get(id: "Film:3").isLoading)
        try await mock.resolve(FilmDetailQuery.self)
        let expected = world.execute("{ film(id: \"Film:3\") { title } }").at("data.film.title")
        #expect(film.result.data?.film?.title == expected?.stringValue)
        #expect(mock.pending.isEmpty)
        try mock.expectFetched(FilmDetailQuery.self, times: 1)
    }

    @Test("a closure that never chooses an answer is told, and does not hang")
    func aChoiceThatNeverEnds() async throws {
        @Sendable func again(_: NetworkRequest) -> MockAnswer { .each(again) }
        mock.answerAll(with: .each(again))
        let error = await #expect(throws: RelayError.self) {
            try await mock.environment.fetch(FilmDetailQuery(id: "Film:3"))
        }
        #expect(error?.underlying is MockFailure)
    }

    @Test("a request is rejected, and the handle shows the error")
    func reject() async throws {
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
        _ = film.get(id: "Film:3")
        try await mock.reject(FilmDetailQuery.self, RelayError.noResponse)
        #expect(film.result.error == .noResponse)
    }

    @Test("queued answers are taken by the first fetch, the refetch and the next page (relay 5000)")
    func queuedAnswers() async throws {
        mock.queue(.world, for: CharacterListQuery.self)
        mock.queue(.failure(RelayError.noResponse), for: CharacterListPaginationQuery.self)
        mock.queue(.world, for: CharacterListPaginationQuery.self)
        try world.override(["Query.characters": ["$count": 30]])
        let query = QueryHandle<CharacterListQuery>(in: mock.environment)
        _ = query.get()
        await settle(mock.environment)
        let data = try #require(query.result.data)
        let list = FragmentHandle(data.fragments.characterList_query, in: mock.environment)
        #expect(list.get().data?.characters.edges?.count == 12)
        list.loadNext(12)
        await settle(mock.environment)
        #expect(list.get().data?.characters.edges?.count == 12)
        list.loadNext(12)
        await settle(mock.environment)
        #expect(list.get().data?.characters.edges?.count == 24)
        try mock.expectFetched(CharacterListPaginationQuery.self, times: 2)
        #expect(mock.leftovers.isEmpty)

        mock.queue(.data(["characters": nil]), for: CharacterListQuery.self)
        #expect(mock.leftovers == ["1 of the answers that were queued for 'CharacterListQuery' were not used"])
    }

    @Test("an answer is delayed on the clock, or never comes")
    func delays() async throws {
        mock.queue(.world.after(.seconds(2)), for: FilmDetailQuery.self)
        mock.queue(.never, for: FilmDetailQuery.self)
        let (film, other) = (
            QueryHandle<FilmDetailQuery>(in: mock.environment), QueryHandle<FilmDetailQuery>(in: mock.environment)
        )
        _ = film.get(id: "Film:1")
        await settle(mock.environment)
        _ = other.get(id: "Film:2")
        await mock.clock.advance(by: .seconds(1), settling: mock.environment)
        #expect(film.result.isLoading)
        await mock.clock.advance(by: .seconds(1), settling: mock.environment)
        #expect(film.result.data?.film?.id == "Film:1")
        #expect(other.result.isLoading)
        #expect(mock.pending.isEmpty && mock.leftovers.isEmpty)
    }

    @Test("an answer is chosen for each request, and one serves all operations")
    func chosenAnswers() async throws {
        mock.answerAll(
            with: .each { request in
                request.operationName == "FilmDetailQuery" ? .world : .failure(RelayError.noResponse)
            })
        let film = try await mock.environment.fetch(FilmDetailQuery(id: "Film:1"))
        #expect(film.data?.film?.id == "Film:1")
        await #expect(throws: RelayError.noResponse) { try await mock.environment.fetch(CharacterListQuery()) }
    }

    @Test("a subscription gets events and ends")
    func events() async throws {
        let reviews = SubscriptionHandle<FilmReviewsSubscription>(in: mock.environment)
        _ = reviews.subscribe(.init(id: "Film:1"))
        let data =
            world.execute(
                FilmReviewsSubscription.artifact.text ?? "", variables: ["id": "Film:1"])["data"] ?? .null
        try await mock.next(FilmReviewsSubscription.self, data: data)
        #expect(reviews.result.data?.reviewAdded.id == data.at("reviewAdded.id")?.stringValue)
        #expect(mock.pending(FilmReviewsSubscription.self).count == 1)
        try await mock.complete(FilmReviewsSubscription.self)
        #expect(mock.pending.isEmpty)
    }

    @Test("a mutation changes the world, the store and what is shown, and the expectations say so")
    func mutations() async throws {
        mock.answerAll(with: .world)
        try world.override(["Film:3": ["isFavorite": false]])
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
        let screen = Screen()
        _ = film.get(id: "Film:3")
        await settle(mock.environment)
        let reference = try #require(film.result.data?.film?.fragments.filmFacts_film)
        let facts = FragmentHandle(reference, in: mock.environment)
        let token = facts.observe(on: screen) { screen, result in screen.show(result.data?.director) }
        await settle(mock.environment)
        mock.forget()
        let input = FavoriteFilmInput(filmId: "Film:3", isFavorite: true)
        let response = try await mock.environment.commit(FilmFavoriteMutation(input: input))
        #expect(response.data?.favoriteFilm?.film?.isFavorite == true)
        try mock.expectCommitted(
            FilmFavoriteMutation.self, variables: ["input": ["filmId": "Film:3", "isFavorite": true]])
        #expect(world.execute("{ film(id: \"Film:3\") { isFavorite } }").at("data.film.isFavorite") == true)
        try mock.environment.update { store in
            try store.get(mock.environment.dataID(of: "Film", id: "Film:3"))?.setValue("Somebody", forField: "director")
        }
        await settle(mock.environment)
        try mock.expectNotified(FilmFacts_film.self, because: .storeChange)
        #expect(await screen.titles.last == "Somebody")
        token.cancel()
    }

    @Test("what is shown is retained, and what nobody shows is not")
    func retained() async throws {
        mock.answerAll(with: .world)
        var film: QueryHandle<FilmDetailQuery>? = QueryHandle(in: mock.environment)
        _ = film?.get(id: "Film:3")
        await settle(mock.environment)
        try mock.expectRetained(FilmDetailQuery.self, variables: ["id": "Film:3"])
        let other = #expect(throws: MockFailure.self) {
            try mock.expectRetained(FilmDetailQuery.self, variables: ["id": "Film:4"])
        }
        #expect(other?.description.contains("retained is: 'FilmDetailQuery' with") == true)
        film = nil
        await settle(mock.environment)
        try mock.expectRetained(FilmDetailQuery.self, isRetained: false)
    }

    @Test("an event of a world reaches a subscription")
    func worldEvents() async throws {
        mock.answerAll(with: .world)
        let reviews = SubscriptionHandle<ReviewTickerSubscription>(in: mock.environment)
        _ = reviews.subscribe()
        await settle(mock.environment)
        #expect(reviews.result.isLoading && world.subscriptionCount == 1)
        try world.emit("reviewAdded", ["Review.stars": 5])
        await settle(mock.environment)
        #expect(reviews.result.data?.reviewAdded.stars == 5)
        let first = reviews.result.data?.reviewAdded.id
        try world.emit("reviewAdded")
        await settle(mock.environment)
        #expect(reviews.result.data?.reviewAdded.id != first)
    }

    @Test("what fails says what was seen instead")
    func failures() async throws {
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
        _ = film.get(id: "Film:3")
        await settle(mock.environment)
        let fetched = #expect(throws: MockFailure.self) {
            try mock.expectFetched(FilmDetailQuery.self, variables: ["id": "Film:4"])
        }
        let seen = #"'FilmDetailQuery' with {"id":"Film:3"}"#
        #expect(
            fetched?.description
                == #"'FilmDetailQuery' with {"id":"Film:4"} was to be fetched; seen was: fetched \#(seen)"#)
        let resolved = await #expect(throws: MockFailure.self) { try await mock.resolve(CharacterListQuery.self) }
        #expect(resolved?.description.hasPrefix("no request of 'CharacterListQuery' waits; there wait \(seen)") == true)
        #expect(mock.leftovers == ["\(seen) was not answered: 'resolve' it, or queue '.never'"])
        #expect(throws: MockFailure.self) { try mock.expectFetched(FilmDetailQuery.self, times: 2) }
        #expect(throws: MockFailure.self) { try mock.expectCancelled(FilmDetailQuery.self) }
        _ = film.get(id: "Film:5")
        await settle(mock.environment)
        try mock.expectCancelled(FilmDetailQuery.self, variables: ["id": "Film:3"], times: 1)
        let handle = MutationHandle<FilmFavoriteMutation>(in: mock.environment)
        let commit = Task { try await handle.commit(input: .init(filmId: "Film:1")) }
        try await mock.waitForRequest(of: FilmFavoriteMutation.self)
        handle.cancel()
        _ = await commit.result
        await settle(mock.environment)
        try mock.expectCancelled(FilmFavoriteMutation.self, times: 1)
        #expect(throws: MockFailure.self) { try mock.expectCommitted(FilmFavoriteMutation.self) }
    }

    @Test("a request that a task sends is waited for, and one that waits already is found at once", arguments: 0..<5)
    func requestOfATask(_ round: Int) async throws {
        let handle = MutationHandle<FilmFavoriteMutation>(in: mock.environment)
        let commit = Task { try await handle.commit(input: .init(filmId: "Film:1")) }
        let request = try await mock.waitForRequest(of: FilmFavoriteMutation.self)
        #expect(request.isPending && request.variables.at("input.filmId") == "Film:1")
        let again = try await mock.waitForRequest(of: FilmFavoriteMutation.self, variables: request.variables)
        #expect(again.request.id == request.request.id)
        try await mock.resolve(FilmFavoriteMutation.self)
        _ = try await commit.value
        #expect(mock.pending.isEmpty)
    }

    @Test("a wait for a request that does not come says what waits and what was seen, and ends with its task")
    func requestThatDoesNotCome() async throws {
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
        _ = film.get(id: "Film:3")
        await settle(mock.environment)
        let failure = await #expect(throws: MockFailure.self) {
            try await mock.waitForRequest(of: FilmDetailQuery.self, variables: ["id": "Film:4"], timeout: .zero)
        }
        let wanted = #"no request of 'FilmDetailQuery' with {"id":"Film:4"} has come within 0.0 seconds"#
        let seen = #"'FilmDetailQuery' with {"id":"Film:3"}"#
        #expect(failure?.description == "\(wanted); there wait \(seen); seen was: fetched \(seen)")

        let wait = Task { [mock] in try await mock.waitForRequest(of: CharacterListQuery.self) }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    @Test("the trait makes an environment", .mockEnvironment { MockEnvironment(world: try saga.another(seed: 2)) })
    func trait() async throws {
        let mock = try #require(MockEnvironment.current)
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
        _ = film.get(id: "Film:1")
        try await mock.resolve(FilmDetailQuery.self)
        #expect(film.result.data?.film?.id == "Film:1")
    }

    @Test("the trait fails a test that leaves a request")
    func traitFails() async throws {
        let trait = MockEnvironmentTrait.mockEnvironment { MockEnvironment() }
        let test = try #require(Test.current)
        let kept = Kept()
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: nil) {
                let mock = try #require(MockEnvironment.current)
                let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
                _ = film.get(id: "Film:1")
                await settle(mock.environment)
                kept.handle.withLock { $0 = film }
            }
        } matching: { issue in
            issue.comments.contains {
                $0.rawValue.contains("'FilmDetailQuery' with") && $0.rawValue.contains("was not answered")
            }
        }
    }
}
