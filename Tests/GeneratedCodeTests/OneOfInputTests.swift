import Baton
import Testing

/// Input objects with exactly one field, as enums.
@Suite struct OneOfInputTests {
    private func sent<Query: GraphQLQuery>(_ query: Query) async -> JSONValue?
    where Query.ResponseFormat == GeneratedCode.SingleResponse {
        let network = CannedNetwork(#"{"data": {"pick": null}}"#)
        _ = try? await RelayEnvironment(network: network).fetch(query)
        return network.variables
    }

    private static let choices: [(Choice, JSONValue)] = [
        (.id("1"), ["id": "1"]), (.title("IV"), ["title": "IV"]), (.not(.title("IV")), ["not": ["title": "IV"]]),
        (.any([.id("1"), .not(.id("2"))]), ["any": [["id": "1"], ["not": ["id": "2"]]]]),
        (.film(FilmFilter(encoder: "x")), ["film": ["encoder": "x"]]), (.on(Day(1977, 5, 25)), ["on": "1977-05-25"]),
        (.days([Day(1977, 5, 25), nil]), ["days": ["1977-05-25", nil]]), (.episode(.jedi), ["episode": "JEDI"]),
        (.grid([[1, nil], nil]), ["grid": [[1, nil], nil]]), (.null2(true), ["null": true]),
        (.self2(false), ["self": false]), (.default(1.5), ["default": 1.5]), (.some(1), ["some": 1]),
        (.none(2), ["none": 2]), (.`init`(3), ["init": 3]), (.one(4), ["one": 4]), (.hash(5), ["hash": 5]),
        (.hashValue(6), ["hashValue": 6]), (.jsonValue(7), ["jsonValue": 7]), (.Type2(8), ["Type": 8]),
        (.Protocol2(9), ["Protocol": 9]), (.Self2(10), ["Self": 10]), (.String(11), ["String": 11]),
        (.Choice(.String(12)), ["Choice": ["String": 12]]),
    ]

    @Test func exactlyOneFieldIsSent() async {
        for (choice, json) in Self.choices {
            #expect(choice.jsonValue == json)
            #expect(await sent(PickQuery(by: choice, all: [choice])) == ["by": json, "all": [json]])
        }
        #expect(await sent(PickQuery()) == [:])
        #expect(await sent(PickQuery(by: .some(1))) == ["by": ["some": 1]])
        #expect(await sent(PickQuery(variables: .init(by: .some(1)))) == ["by": ["some": 1]])
        #expect(await sent(PickQuery(variables: .init(by: .null))) == ["by": nil])
    }

    @Test func valuesAreComparedAndHashed() {
        for (left, one) in Self.choices.enumerated() {
            for (right, other) in Self.choices.enumerated() { #expect((one.0 == other.0) == (left == right)) }
        }
        #expect(Set(Self.choices.map(\.0) + Self.choices.map(\.0)).count == Self.choices.count)
        #expect(Choice.not(.id("1")) != .not(.id("2")))
    }

    @Test func anotherInputObjectMayHoldOne() {
        var filter = StringFilter(choice: .title("IV"), choices: [.id("1"), nil])
        #expect(filter.jsonValue == ["choice": ["title": "IV"], "choices": [["id": "1"], nil]])
        #expect(filter.choice == .value(.title("IV")))
        if case .title(let title)? = filter.choice.value { #expect(title == "IV") }
        filter.choice = .null
        #expect(filter.jsonValue["choice"] == JSONValue.null)
        filter.choice = .value(.not(.film(FilmFilter(title: filter))))
        let inner = StringFilter(choice: .null, choices: [.id("1"), nil])
        #expect(filter.choice == .value(.not(.film(FilmFilter(title: inner)))))
        var variables = PickQuery.Variables(by: .id("1"))
        variables.by = .value(.id("2"))
        #expect(PickQuery(variables: variables) == PickQuery(by: .id("2")))
    }

    @Test func deepValuesAreRefusedAndNotFollowed() async {
        var choice = Choice.id("1")
        for _ in 0..<5_000 { choice = .not(choice) }
        var other = Choice.id("2")
        for _ in 0..<5_000 { other = .not(other) }
        #expect(choice == choice && choice != other)
        #expect(PickQuery(by: choice).hashValue == PickQuery(by: choice).hashValue)
        let environment = RelayEnvironment(network: CannedNetwork(#"{"data": {"pick": null}}"#))
        await #expect(throws: RelayError.self) { try await environment.fetch(PickQuery(by: choice)) }
    }

    @Test @available(*, deprecated)
    func aDeprecatedFieldIsAMethod() {
        #expect(Choice.old("x").jsonValue == ["old": "x"])
    }
}
