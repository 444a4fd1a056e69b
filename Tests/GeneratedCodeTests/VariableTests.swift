import Baton
import Foundation
import Testing

/// The JSON that generated variables and input objects send.
@Suite struct VariableTests {
    private func sent<Query: GraphQLQuery>(_ query: Query) async -> JSONValue?
    where Query.ResponseFormat == GeneratedCode.SingleResponse {
        let network = CannedNetwork(#"{"data": null}"#)
        _ = try? await RelayEnvironment(network: network).fetch(query)
        return network.variables
    }

    @Test func nilMeansLeftOut() async {
        #expect(await sent(HeroNameQuery()) == [:])
        #expect(await sent(HeroNameQuery(episode: nil)) == [:])
        #expect(await sent(HeroNameQuery(episode: .empire)) == ["episode": "EMPIRE"])
        #expect(await sent(HeroNameQuery(episode: .unknown("LATER"))) == ["episode": "LATER"])
    }

    @Test func leftOutAndNullAreApartInTheVariablesStruct() async {
        #expect(await sent(HeroNameQuery(variables: .init(episode: .null))) == ["episode": nil])
        #expect(await sent(HeroNameQuery(variables: .init(episode: nil))) == [:])
        #expect(await sent(HeroNameQuery(variables: .init(episode: .jedi))) == ["episode": "JEDI"])
    }

    @Test func variablesStandInDeclarationOrder() async {
        let query = HeroDetailsQuery(episode: .jedi, withFriends: true, skipName: false)
        guard case .object(let members)? = await sent(query) else {
            Issue.record("no variables were sent")
            return
        }
        #expect(members.map(\.name) == ["episode", "withFriends", "skipName"])
    }

    @Test func mappedScalarsAreConvertedInsideLists() async {
        let query = FilmsQuery(since: Day(1977, 5, 25), prices: [Decimal(string: "1.5"), nil])
        #expect(await sent(query) == ["since": "1977-05-25", "prices": ["1.5", nil]])
    }

    @Test func labelsInUseAreRenamedAndTheWireKeepsTheName() async {
        #expect(await sent(FilmsQuery(fetchKey2: 3, in: 4)) == ["fetchKey": 3, "in": 4])
        let all = KeywordsQuery(
            class: 1, default: 2, self2: 3, policy2: 4, optimistic2: 5, update2: 6, get: 7, variables2: 8, encoder: 9,
            `inout`: 10,
            Variables2: 11, hashValue2: 12, init: 13, serial2: 14, configuration2: 15
        )
        #expect(
            await sent(all) == [
                "class": 1, "default": 2, "self": 3, "policy": 4, "optimistic": 5, "update": 6, "get": 7,
                "variables": 8,
                "encoder": 9, "inout": 10, "Variables": 11, "hashValue": 12, "init": 13,
                "serial": 14, "configuration": 15,
            ]
        )
    }

    @Test func anInputObjectMayHoldItself() {
        var filter = FilmFilter(
            and: [FilmFilter()], not: .init(title: .init(equals: "x")))
        #expect(filter.jsonValue == ["and": [[:]], "not": ["title": ["equals": "x"]]])
        filter.not = .null
        #expect(filter.jsonValue == ["and": [[:]], "not": nil])
        filter.not = .absent
        #expect(filter.jsonValue == ["and": [[:]]])
        filter.title = .value(StringFilter(film: filter))
        #expect(filter.jsonValue == ["and": [[:]], "title": ["film": ["and": [[:]]]]])
        let other = FilmFilter(
            budget: 2, encoder: "e", in: [.jedi], self2: true)
        #expect(other.jsonValue == ["budget": "2", "encoder": "e", "in": ["JEDI"], "self": true])
        #expect(other != filter)
        #expect(Set([other, other]).count == 1)
    }

    @Test func optionalInputsTakePlainValues() {
        #expect(FilmFilter(encoder: "x").jsonValue == ["encoder": "x"])
        #expect(FilmFilter(encoder: nil).jsonValue == [:])
        #expect(FilmFilter(encoder: .null).jsonValue == ["encoder": nil])
        #expect(
            FilmFilter(and: [.init(encoder: "x")], or: [nil], not: .init(), budget: 3, in: [.jedi, .unknown("X")])
                .jsonValue == ["and": [["encoder": "x"]], "or": [nil], "not": [:], "budget": "3", "in": ["JEDI", "X"]])
        #expect(FilmFilter(and: .null, not: .null, budget: .null).jsonValue == ["and": nil, "not": nil, "budget": nil])
        #expect(HeroNameQuery.Variables(episode: .jedi).episode == .value(.jedi))
        #expect(HeroNameQuery.Variables(episode: .null).episode == .null)
        #expect(ReviewInput(stars: 1, at: Day(1, 2, 3), weight: 2).weight == .value(2))
        #expect(ReviewInput(stars: 1, at: Day(1, 2, 3), weight: 2.5).weight == .value(2.5))
    }

    @Test("nil in an optional of an optional means left out too", arguments: ["x", nil])
    func optionalInputsTakeOptionals(text: String?) {
        let sent: JSONValue = text == nil ? [:] : ["encoder": "x"]
        #expect(FilmFilter(encoder: text).jsonValue == sent)
        let twice: String?? = text
        #expect(FilmFilter(encoder: twice).jsonValue == sent)
        #expect(FilmFilter(encoder: [String?]().first).jsonValue == [:])
        #expect(FilmFilter(encoder: text == nil ? .null : text).jsonValue == (text == nil ? ["encoder": nil] : sent))
        #expect(
            FilmFilter(title: text.map { .init(equals: $0) }).jsonValue["title"]
                == (text == nil ? nil : ["equals": "x"]))
    }

    @Test func propertiesTakeLiteralsAndKeepThreeStates() {
        var filter = FilmFilter()
        filter.encoder = "x"
        filter.in = [.empire]
        filter.self2 = true
        filter.budget = .null
        #expect(filter.jsonValue == ["budget": nil, "encoder": "x", "in": ["EMPIRE"], "self": true])
        #expect(
            FilmFilter(budget: filter.budget, encoder: filter.encoder, self2: filter.not == nil)
                == FilmFilter(budget: .null, encoder: "x", self2: true))
        filter.encoder = nil
        #expect(filter.encoder == .absent)
        for state in [GraphQLNullable<Int>.absent, .null, .value(3)] {
            #expect(GraphQLNullable(input: state.input) == state && state.input.nullable == state)
        }
    }

    @Test("A property is set to all that an initializer takes", arguments: ["x", nil])
    func propertiesAreSet(wanted: String?) {
        var filter = FilmFilter(encoder: "before")
        filter.encoder = wanted
        #expect(filter == FilmFilter(encoder: wanted))
        #expect(filter.encoder.value == wanted && (filter.encoder == nil) == (wanted == nil))
        filter.encoder = wanted == nil ? .null : wanted
        #expect(filter == FilmFilter(encoder: wanted == nil ? .null : wanted))
        #expect(filter.encoder.value == wanted && filter.encoder != nil)
        filter.title = wanted.map { .init(equals: $0) }
        filter.in = [.jedi]
        #expect(filter.title == (wanted == nil ? .absent : .value(StringFilter(equals: wanted))))
        #expect(filter.title.value?.equals.value == wanted && filter.in.value == [.jedi])
        filter.in = nil
        filter.title = .null
        #expect(filter.in == .absent && filter.title == .null && filter.title.value == nil)
        filter.encoder = .value("y")
        switch filter.encoder.nullable {
        case .value(let text): #expect(text == "y")
        case .null, .absent: Issue.record("a value is there")
        }
    }

    @Test func inputObjectsSendOnlyGivenFields() {
        let review = ReviewInput(stars: 5, at: Day(2026, 1, 2), dates: [Day(2026, 1, 3), nil], weight: .null)
        #expect(review.jsonValue == ["stars": 5, "at": "2026-01-02", "dates": ["2026-01-03", nil], "weight": nil])
    }

    @Test func enumValuesKeepTheirText() {
        for text in [
            "init", "self", "Type", "none", "some", "UNKNOWN", "NULL", "class", "default", "fooBar", "FOO_BAR", "_2D",
            "NEW",
        ] {
            #expect(State(rawValue: text).rawValue == text)
        }
        #expect(State(rawValue: "FOO_BAR") == .fooBar2)
        #expect(State(rawValue: "UNKNOWN") == .unknown2)
        #expect(State(rawValue: "NULL") == .null2)
        #expect(State(rawValue: "NEW") == .unknown("NEW"))
        #expect(State(rawValue: "self") == .self2)
    }

    @Test func enumValuesAreComparedAndHashedByTheirText() {
        #expect(Episode.empire == .unknown("EMPIRE"))
        #expect(Set([Episode.empire, .unknown("EMPIRE"), .unknown("LATER")]).count == 2)
        #expect(Episode.empire.hashValue == Episode.unknown("EMPIRE").hashValue)
    }

    @Test func aCommitMayHaveAConfigurationOfItsOwn() async throws {
        let network = CannedNetwork(#"{"data":{"addReview":null}}"#)
        let handle = MutationHandle<AddReviewMutation>(in: RelayEnvironment(network: network))
        let review = ReviewInput(stars: 5, at: Day(2026, 1, 2))
        try await handle.commit(
            episode: .jedi, review: review, configuration: RequestConfiguration(headers: ["A": "b"])
        ) { _, _ in }
        #expect(network.lastRequest?.configuration.headers == ["A": "b"])
        try await handle.commit(episode: .jedi, review: review) { _, _ in }
        #expect(network.lastRequest?.configuration.headers == [:])
    }

    @Test func operationsAreNamedOnTheWireAsInTheDocument() {
        #expect(HeroNameQuery.artifact.name == "HeroName")
        #expect(AddReviewMutation.artifact.kind == .mutation)
        #expect(ReviewAddedSubscription.artifact.name == "ReviewAdded")
    }
}
