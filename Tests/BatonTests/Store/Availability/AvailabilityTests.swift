// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import StoreModel
import Testing

@testable import Baton

/// Ages and invalidations, with answers that are fetched at a given second.
@Suite struct AvailabilityTests {
    let store = Store()

    private func write<Query: GraphQLOperation>(_ query: Query, _ json: String, at second: Int) throws {
        let operation = store.bind(query)
        let began = store.epoch
        let mark = FetchMark(time: .seconds(second), began: began)
        store.publish(try store.normalize(Array(json.utf8), for: operation, fetch: mark), for: operation)
        store.noteFetch(of: operation, key: nil, at: .seconds(second), began: began)
    }

    private static let title = #"{"data":{"film":{"id":"1","title":"Hope"}}}"#

    @Test func theTimeIsThatOfTheOldestField() throws {
        let film = store.bind(Films.FilmQuery(id: "1"))
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Hope"), at: 10)
        #expect(store.check(film) == .available(fetchedAt: .seconds(10)))
        // One of the fields is newer now, the others are not.
        try write(Films.TitleQuery(id: "1"), Self.title, at: 20)
        #expect(store.check(film) == .available(fetchedAt: .seconds(10)))
        #expect(store.check(store.bind(Films.TitleQuery(id: "1"))) == .available(fetchedAt: .seconds(20)))
        // The response brings everything except the link from the root.
        try write(Films.ListQuery(), Films.list(1), at: 30)
        #expect(store.check(film) == .available(fetchedAt: .seconds(10)))
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Hope"), at: 40)
        #expect(store.check(film) == .available(fetchedAt: .seconds(40)))
    }

    @Test func anOperationThatWasNeverFetchedHasTheTimeOfItsData() throws {
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Hope"), at: 10)
        let title = store.bind(Films.TitleQuery(id: "1"))
        #expect(store.operations.fetch(of: title) == nil)
        #expect(store.check(title) == .available(fetchedAt: .seconds(10)))
    }

    @Test func anAnswerThatChangesNothingMakesYoung() throws {
        try write(Films.ListQuery(), Films.list(200), at: 1)
        let list = store.bind(Films.ListQuery())
        let epoch = store.records.changed(.root)
        try write(Films.ListQuery(), Films.list(200), at: 2)
        #expect(store.check(list) == .available(fetchedAt: .seconds(2)))
        #expect(store.records.changed(.root) == epoch)
    }

    @Test func whatAnUpdateWritesKeepsItsAge() throws {
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Hope"), at: 10)
        try store.update { try $0.get("1")?.setValue("Return", forField: "title") }
        #expect(store.check(store.bind(Films.FilmQuery(id: "1"))) == .available(fetchedAt: .seconds(10)))
    }

    @Test func deletedRecordsCountAsPresent() throws {
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Hope"), at: 10)
        try store.update { try $0.delete("1") }
        #expect(store.check(store.bind(Films.FilmQuery(id: "1"))) == .available(fetchedAt: .seconds(10)))
    }

    @Test func aTypeIsInvalidatedWithoutGoingThroughItsRecords() throws {
        try write(Films.ListQuery(), Films.list(3), at: 10)
        let list = store.bind(Films.ListQuery())
        let before = store.invalidationStateOfAll
        store.invalidate(type: "Planet")
        #expect(store.check(list) == .available(fetchedAt: .seconds(10)))
        store.invalidate(type: "Person")
        #expect(store.checkAvailability(of: list).staleness == .type(store.names.type("Person"), try record("p1")))
        #expect(store.invalidationStateOfAll == before, "no record was touched")
        #expect(store.check(store.bind(Films.CountQuery())) == .available(fetchedAt: .seconds(10)))
        // Another operation brings the person again.
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Film 1"), at: 20)
        #expect(store.check(list) == .available(fetchedAt: .seconds(10)))
    }

    @Test func anAbstractTypeStandsForItsKnownObjectTypes() throws {
        let hero = store.bind(HeroQuery())
        try store.write(HeroQuery.answer, for: hero)
        store.noteFetch(of: hero, key: nil, at: .seconds(1))
        // Droid was shown to be a Pilot; no response shows whether Human is one.
        store.invalidate(type: "Pilot")
        #expect(store.checkAvailability(of: hero).staleness == .type(store.names.type("Droid"), try record("2001")))
        #expect(store.records.lastInvalidation(of: store.names.type("Human")) == 0)
        store.noteFetch(of: hero, key: nil, at: .seconds(2))
        #expect(store.check(hero) == .available(fetchedAt: .seconds(2)))
    }

    @Test func anOperationIsInvalidatedUntilItIsFetchedItself() throws {
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Hope"), at: 1)
        try write(Films.FilmQuery(id: "2"), Films.film("2", "Empire"), at: 1)
        let first = store.bind(Films.FilmQuery(id: "1"))
        let second = store.bind(Films.FilmQuery(id: "2"))
        store.invalidate(first)
        #expect(store.checkAvailability(of: first).staleness == .operation)
        #expect(store.check(second) == .available(fetchedAt: .seconds(1)))
        #expect(store.check(store.bind(Films.TitleQuery(id: "1"))) == .available(fetchedAt: .seconds(1)))
        // Another operation brings the same data.
        try write(Films.ListQuery(), Films.list(1), at: 2)
        #expect(store.check(first) == .stale)
        try write(Films.FilmQuery(id: "1"), Films.film("1", "Hope"), at: 3)
        #expect(store.check(first) == .available(fetchedAt: .seconds(3)))
        store.invalidate(all: Films.FilmQuery.artifact)
        #expect(store.check(first) == .stale && store.check(second) == .stale)
        #expect(store.check(store.bind(Films.TitleQuery(id: "1"))) == .available(fetchedAt: .seconds(3)))
    }

    @Test func aRequestThatBeganBeforeAnInvalidationBringsStaleData() throws {
        let title = store.bind(Films.TitleQuery(id: "1"))
        let began = store.epoch
        store.invalidate()
        let mark = FetchMark(time: .seconds(1), began: began)
        store.publish(try store.normalize(Array(Self.title.utf8), for: title, fetch: mark), for: title)
        store.noteFetch(of: title, key: nil, at: .seconds(1), began: began)
        #expect(store.checkAvailability(of: title).staleness == .store)
        try write(Films.TitleQuery(id: "1"), Self.title, at: 2)
        #expect(store.check(title) == .available(fetchedAt: .seconds(2)))
    }

    @Test func manyDifferentAnswersKeepTheAgeOfEachField() throws {
        // Each answer brings another field of the same record and of the root. Later answers bring some of the fields
        // again.
        for index in 0..<40 { try write(FieldQuery(index), FieldQuery.answer(index), at: index) }
        for index in 0..<40 {
            #expect(store.check(store.bind(FieldQuery(index))) == .available(fetchedAt: .seconds(index)))
        }
        for round in 1...200 {
            let index = round * 7 % 40
            try write(FieldQuery(index), FieldQuery.answer(index), at: 100 + round)
            #expect(store.check(store.bind(FieldQuery(index))) == .available(fetchedAt: .seconds(100 + round)))
        }
    }

    @Test func theTableOfAnswersStaysSmall() throws {
        let store = Store()
        let operation = store.bind(Films.TitleQuery(id: "1"))
        for second in 0..<20_000 {
            let mark = FetchMark(time: .seconds(second), began: store.epoch)
            let json = second % 2 == 0 ? Self.title : Self.title.replacing("Hope", with: "Return")
            store.publish(try store.normalize(Array(json.utf8), for: operation, fetch: mark), for: operation)
        }
        #expect(store.check(operation) == .available(fetchedAt: .seconds(19_999)))
        #expect(store.records.stamps.entries.count <= 4100)
    }

    @Test func theFirstMissingFieldInTheOrderOfThePlanIsNamed() throws {
        let text = "{a:A{b:[A]{s:Int t:Int} u:Int} v:Int}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "Order", kind: .query, text: "", normalization: text, reader: "{}")
        let part = GeneratedCode.OperationArtifact(
            name: "Part", kind: .query, text: "", normalization: "{a:A{b:[A]{s:Int}}}", reader: "{}")
        let operation = store.bind(part, variables: .object([]))
        try store.write(#"{"data":{"a":{"b":[{"s":1},{"s":2}]}}}"#, for: operation)
        #expect(store.missingPath(store.bind(artifact, variables: .object([]))) == ["a", "b", 0, "t"])
    }

    /// A plan of the greatest depth can be checked on the stack of another thread than the main one, also in a debug
    /// build.
    @Test func aDeepPlanIsCheckedOnASmallStack() async throws {
        let depth = 195
        let text = String(repeating: "{a:A", count: depth) + "{s:Int}" + String(repeating: "}", count: depth)
        let artifact = GeneratedCode.OperationArtifact(
            name: "Deep", kind: .query, text: "", normalization: text, reader: "{}")
        let (store, operation) = (store, store.bind(artifact, variables: .object([])))
        let answer =
            #"{"data":"# + String(repeating: #"{"a":"#, count: depth) + #"{"s":1}"#
            + String(repeating: "}", count: depth) + "}"
        let mark = FetchMark(time: .seconds(3), began: store.epoch)
        store.publish(try store.normalize(Array(answer.utf8), for: operation, fetch: mark), for: operation)
        let availability = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: store.check(operation)) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(availability == .available(fetchedAt: .seconds(3)))
    }

    private func record(_ id: DataID) throws -> RecordID {
        try #require(store.record(id))
    }
}

extension Store {
    fileprivate var invalidationStateOfAll: Int { records.invalidations.records.count }
}

/// `query { thing { id f3 } g3 }` with a variable number.
struct FieldQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Field", kind: .query, text: "",
        normalization: "(n){thing:+Thing{id:ID! f(n:$n):Int} g(n:$n):Int}",
        reader: "(n){thing:+Thing{id:ID! f(n:$n):Int} g(n:$n):Int}"
    )
    var variables: Variables
    init(variables: Variables) { self.variables = variables }
    init(_ n: Int) { self.init(variables: Variables(n: n)) }

    struct Variables: GeneratedCode.Variables, Hashable {
        var n: Int
        var __fields: GeneratedCode.InputFields { .init("n") { $0.addInt(n) } }
    }

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
    }

    static func answer(_ n: Int) -> String { #"{"data":{"thing":{"id":"t","f":\#(n)},"g":\#(n)}}"# }
}
