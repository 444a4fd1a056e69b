import Baton
import BatonTesting
import Testing

@testable import StarWarsComponents

@Suite
struct SagaTests {
    /// A misspelled identifier would silently drop a relation.
    @Test
    func everyRelationLeadsSomewhere() {
        let index = SagaIndex()
        let numbers = Set(Saga.films.map(\.number))
        for character in Saga.characters {
            #expect(character.friends.allSatisfy { index.character($0) != nil }, "\(character.id)")
            #expect(character.homeworld == nil || index.planet(character.homeworld) != nil, "\(character.id)")
            #expect(character.species == nil || index.species(character.species) != nil, "\(character.id)")
            #expect(!character.films.isEmpty && numbers.isSuperset(of: character.films), "\(character.id)")
            #expect((character.kind == .droid) == (character.function != nil), "\(character.id)")
        }
        for planet in Saga.planets { #expect(numbers.isSuperset(of: planet.films), "\(planet.id)") }
        for species in Saga.species { #expect(index.planet(species.homeworld) != nil, "\(species.id)") }
        for starship in Saga.starships {
            #expect(starship.pilots.allSatisfy { index.character($0) != nil }, "\(starship.id)")
            #expect(numbers.isSuperset(of: starship.films), "\(starship.id)")
        }
        for review in Saga.reviews { #expect(numbers.contains(review.film), "\(review.id)") }
    }

    @Test(arguments: [
        (
            "{ node(id: \"film:4\") { __typename ... on Film { title year trilogy averageStars } } }",
            #"{"data":{"node":{"__typename":"Film","title":"A New Hope","year":1977,"trilogy":"ORIGINAL","averageStars":4.5}}}"#
        ),
        (
            "{ films(filter: {trilogy: ORIGINAL, releasedSince: \"1980-01-01\"}, orderBy: RELEASE, first: 1) { totalCount pageInfo { hasNextPage endCursor } edges { node { title } } } }",
            #"{"data":{"films":{"totalCount":2,"pageInfo":{"hasNextPage":true,"endCursor":"film:5"},"edges":[{"node":{"title":"The Empire Strikes Back"}}]}}}"#
        ),
        (
            "{ character(id: \"character:chewbacca\") { __typename name appearsIn affiliations { __typename ... on Starship { length(unit: FOOT) } } ... on Creature { species { name } height } } }",
            #"{"data":{"character":{"__typename":"Creature","name":"Chewbacca","appearsIn":["REVENGE_OF_THE_SITH","A_NEW_HOPE","THE_EMPIRE_STRIKES_BACK","RETURN_OF_THE_JEDI","THE_FORCE_AWAKENS","THE_LAST_JEDI","THE_RISE_OF_SKYWALKER"],"affiliations":[{"__typename":"Planet"},{"__typename":"Species"},{"__typename":"Starship","length":112.86}],"species":{"name":"Wookiee"},"height":2.28}}}"#
        ),
        (
            "{ search(text: \"wing\") { __typename ... on Starship { name } } }",
            #"{"data":{"search":[{"__typename":"Starship","name":"X-wing"},{"__typename":"Starship","name":"Y-wing"},{"__typename":"Starship","name":"A-wing"}]}}"#
        ),
        (
            "mutation { createReview(input: {filmId: \"film:2\", stars: 5}) { review { id stars film { averageStars } } } }",
            #"{"data":{"createReview":{"review":{"id":"review:13","stars":5,"film":{"averageStars":4.0}}}}}"#
        ),
        (
            "mutation { createReview(input: {filmId: \"film:2\", stars: 6}) { review { id } } }",
            #"{"errors":[{"message":"'stars' must be 1 to 5","locations":[{"line":1,"column":12}],"path":["createReview"]}],"data":{"createReview":null}}"#
        ),
    ])
    func theServiceAnswersQueries(document: String, answer: String) throws {
        let service = try SagaService.make()
        #expect(String(decoding: service.execute(document).jsonBytes, as: UTF8.self) == answer)
    }

    /// A subscription of one film has the events of that film, and one without a film has all.
    @Test func aSubscriptionHasTheReviewsOfItsFilm() async throws {
        let clock = ManualClock()
        let environment = RelayEnvironment(network: try SagaNetwork(clock: clock))
        let ofFour = environment.subscribe(FilmReviewsSubscription(id: "film:4"))
        let ofAll = environment.subscribe(ReviewTickerSubscription())
        var (some, all) = (ofFour.makeAsyncIterator(), ofAll.makeAsyncIterator())
        async let first = some.next()
        async let any = all.next()
        await clock.waitForSleepers(2)
        for film in ["film:5", "film:4"] {
            _ = try await environment.commit(ReviewFormMutation(input: CreateReviewInput(filmId: film, stars: 1)))
        }
        clock.advance(by: .seconds(1))
        #expect(try await first?.data?.reviewAdded.film.id == "film:4")
        #expect(try await any?.data?.reviewAdded.film.id == "film:5")
    }
}
