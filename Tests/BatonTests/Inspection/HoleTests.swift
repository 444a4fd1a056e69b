// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RandomCases
import Testing

@testable import Baton

/// Explanations of values that are not shown although the store has all fields. An explanation names the record or
/// field that causes it, the last write, and the part that is not shown.
@Suite struct HoleTests {
    private static let plan =
        "{hero:+Hero{id:ID! name:String! friends:[+Hero!]!{id:ID! name:String!} best:+Hero!{id:ID! name:String!}} count:Int}"
    private static let answer =
        #"{"data":{"hero":{"id":"1","name":"Luke","friends":[{"id":"2","name":"Han"},{"id":"3","name":"Leia"}],"best":{"id":"2","name":"Han"}},"count":null}}"#

    struct Hero: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Hero", kind: .query, text: "query Hero { }", normalization: plan, reader: plan)
        var variables = NoVariables()
        init(variables: NoVariables) { self.variables = variables }
        init() {}

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
        }
    }

    struct NoVariables: GeneratedCode.Variables, Hashable {
        var __fields: GeneratedCode.InputFields { .none }
    }

    private static func environment() async throws -> RelayEnvironment {
        let network = ScriptedNetwork()
        let environment = RelayEnvironment(network: network, clock: HandClock())
        async let response = environment.fetch(Hero())
        while network.waiting == 0 { await Task.yield() }
        network.answer(answer)
        _ = try await response
        return environment
    }

    @Test func withoutAHoleThereIsNothingToSay() async throws {
        let environment = try await Self.environment()
        let explanation = environment.explain(Hero())
        #expect(explanation.holes.isEmpty)
        #expect(explanation.description.hasPrefix("All that 'Hero' asks for is in the store, and valid. The operation"))
    }

    @Test func aDeletedRecordEmptiesTheNearestFieldThatMayBeNull() async throws {
        let environment = try await Self.environment()
        try environment.update { try $0.delete("2") }
        let explanation = environment.explain(Hero())
        #expect(explanation.availability.isAvailable)
        // The friend's row is left out first, then the hero, whose best friend is the same record.
        #expect(explanation.holes.map(\.extent) == [.leftOutItem, .field])
        #expect(explanation.holes.map(\.path) == [["hero", "friends", 0], ["hero"]])
        let hole = try #require(explanation.holes.last)
        #expect(hole.reason == .deleted)
        #expect(hole.place.path == ["hero", "best"])
        #expect(hole.cause.dataID == "2")
        #expect(hole.cause.state == .deleted)
        #expect(hole.cause.write?.source == .update)
        #expect(hole.link?.dataID == "1")
        #expect(hole.link?.storageKey == "best")
        let text = explanation.description
        #expect(
            text.hasPrefix(
                "All that 'Hero' asks for is in the store, and valid, but some of it cannot be shown. "
                    + "'hero.friends[0]' is left out of its list. The record '2' is deleted; links to it read as null. "
                    + "It was deleted by a local update (version 2, at 0.0 seconds)."), "\(text)")
        #expect(text.contains("'hero' is nil, because 'hero.best' must not be null. The record '2' is deleted"))
    }

    @Test func aNullEmptiesIt() async throws {
        let environment = try await Self.environment()
        environment.store.acceptValuesOfAnyType()
        try environment.update { try $0.get("3")?.setValue(.null, forField: "name") }
        let hole = try #require(environment.explain(Hero()).holes.first)
        #expect(hole.reason == .null)
        #expect(hole.extent == .field)
        #expect(hole.path == ["hero"])
        #expect(hole.place.path == ["hero", "friends", 1, "name"])
        #expect(hole.place.dataID == "3")
        #expect(hole.place.storageKey == "name")
        #expect(hole.cause.write?.source == .update)
        #expect(
            hole.description.hasPrefix(
                "'hero' is nil, because 'hero.friends[1].name' must not be null. The field 'name' of Hero '3' is null."),
            "\(hole)")
    }

    @Test func whatNoTypeAllowsIsNamedToo() async throws {
        let environment = try await Self.environment()
        try environment.update { $0.put(.string("three"), $0.names.key("count"), of: .root) }
        let explanation = environment.explain(Hero())
        #expect(!explanation.description.contains("valid"))
        let hole = try #require(explanation.holes.first)
        #expect(hole.reason == .unfit)
        #expect(hole.path == ["count"])
        #expect(hole.description.contains("That is no value of the field's type."))
    }

    /// A scalar that was stored under another conversion, as a snapshot of an older program may have it.
    @Test func aScalarThatCannotBeConvertedIsNoValidOne() throws {
        enum Even: ScalarConversion {
            static func decode(_ json: JSONValue) throws -> Int {
                guard case .int(let number) = json, number.isMultiple(of: 2) else { throw UpdateError.root }
                return number
            }
            static func encode(_ value: Int) -> JSONValue { .int(value) }
        }
        let plan = "{hero:+Hero{id:ID! height:@Even heights:[@Even]}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "Heights", kind: .query, text: "", normalization: plan, reader: plan,
            scalars: [.init("Even", Even.self)])
        let store = Store()
        let operation = store.bind(artifact, variables: [:])
        try store.write(#"{"data":{"hero":{"id":"1","height":2,"heights":[2,null]}}}"#, for: operation)
        func holes() -> [Explanation.OfData.Hole] { store.explainHoles(in: operation.plans.read, at: operation.root) }
        #expect(holes().isEmpty)
        let odd = Value.scalar(ConvertedScalar(unconverted: 3))
        try store.update { source in
            let record = try #require(source.names.record("1", adding: false))
            source.put(odd, source.names.key("height"), of: record)
            source.put(.list([.scalar(ConvertedScalar(unconverted: 4)), odd]), source.names.key("heights"), of: record)
        }
        #expect(holes().map(\.reason) == [.unfit, .unfit])
        #expect(holes().map(\.path) == [["hero", "height"], ["hero", "heights", 1]])
    }

    @Test func aNullThatIsAllowedIsNoHole() async throws {
        let environment = try await Self.environment()
        try environment.update { try $0.root.setLinkedRecord(nil, forField: "hero") }
        #expect(environment.explain(Hero()).holes.isEmpty)
    }

    @Test func aReadHasNoDataIfEverythingHasFallen() throws {
        var fallen = 0
        for round in 0..<RandomCases.count(40) {
            var world = try RandomWorld(seed: UInt64(1000 + round))
            for _ in 0..<10 {
                try world.change()
                let json = world.json(world.read())
                let holes = world.holes()
                let hasFallen = holes.contains { if case .everything = $0.extent { true } else { false } }
                #expect(hasFallen == (json == nil), "\(world.plan)")
                fallen += hasFallen ? 1 : 0
                #expect(holes.allSatisfy { $0.place.path.starts(with: $0.path) }, "\(world.plan)")
                // Each path leads to null, or to nothing if an item was left out.
                for hole in holes {
                    guard case .field = hole.extent else { continue }
                    guard !hole.path.contains(where: { if case .index = $0 { true } else { false } }) else { continue }
                    #expect(value(at: hole.path, in: json ?? .null) == .null, "\(world.plan)")
                }
            }
        }
        #expect(fallen > 0)
    }

    private func value(at path: [JSONValue.PathComponent], in json: JSONValue) -> JSONValue {
        path.reduce(json) { json, component in
            guard case .key(let key) = component, case .object(let members) = json else { return .null }
            return members.first { $0.name == key }?.value ?? .null
        }
    }
}
