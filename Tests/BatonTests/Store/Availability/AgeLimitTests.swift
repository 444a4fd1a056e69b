import StoreModel
import Testing

@testable import Baton

/// Age limits of fields and queries, to the second.
@Suite struct AgeLimitTests {
    let store = Store()

    /// `{ film { id title rating director { id name } } }`. The limit of a rating is 60 seconds, that of a name 10,
    /// that of the whole query 100.
    private static let limited = GeneratedCode.OperationArtifact(
        name: "Limited", kind: .query, text: "",
        normalization: "@maxAge(100){film:+Film{id:ID! title:String! rating:Int@maxAge(60) "
            + "director:+Person{id:ID! name:String@maxAge(10)}}}",
        reader: "{film:+Film{id:ID! title:String!}}")
    private static let rating = GeneratedCode.OperationArtifact(
        name: "Rating", kind: .query, text: "", normalization: "{film:+Film{id:ID! rating:Int}}", reader: "{}")
    private static let person = GeneratedCode.OperationArtifact(
        name: "Person", kind: .query, text: "", normalization: "{me:+Person{id:ID! name:String@maxAge(10)}}",
        reader: "{}")

    private func write(_ artifact: GeneratedCode.OperationArtifact, _ json: String, at second: Int) throws
        -> BoundOperation
    {
        let operation = store.bind(artifact, variables: .object([]))
        let mark = FetchMark(time: .seconds(second), began: store.epoch)
        let body = Array(#"{"data":\#(json)}"#.utf8)
        store.publish(try store.normalize(body, for: operation, fetch: mark), for: operation)
        store.noteFetch(of: operation, key: nil, at: mark.time, began: mark.began)
        return operation
    }

    private static let film =
        #"{"film":{"id":"1","title":"Hope","rating":5,"director":{"id":"p","name":"Irvin"}}}"#

    private func field(_ operation: BoundOperation, at second: Int) -> StorageKey? {
        guard case .tooOld(let place?, _, _) = store.checkAvailability(of: operation, at: .seconds(second)).staleness
        else {
            return nil
        }
        return store.location(of: place).storageKey
    }

    @Test func aFieldIsStaleOnceItIsOlderThanItsLimit() throws {
        let operation = try write(Self.limited, Self.film, at: 1000)
        for (second, isAvailable) in [(1009, true), (1010, true), (1011, false), (1060, false)] {
            let expected = isAvailable ? Coverage.available(fetchedAt: .seconds(1000)) : .stale
            #expect(store.check(operation, at: .seconds(second)) == expected, "\(second)")
        }
        #expect(field(operation, at: 1011) == "name")
        // Another query brings only the name again.
        _ = try write(Self.person, #"{"me":{"id":"p","name":"Irvin"}}"#, at: 1055)
        for (second, isAvailable) in [(1059, true), (1060, true), (1061, false)] {
            let expected = isAvailable ? Coverage.available(fetchedAt: .seconds(1000)) : .stale
            #expect(store.check(operation, at: .seconds(second)) == expected, "\(second)")
        }
        #expect(field(operation, at: 1061) == "rating")
        _ = try write(Self.rating, #"{"film":{"id":"1","rating":6}}"#, at: 1062)
        #expect(store.check(operation, at: .seconds(1065)) == .available(fetchedAt: .seconds(1000)))
    }

    @Test func aQueryIsStaleOnceTheOldestOfItIsOlderThanItsLimit() throws {
        let operation = try write(Self.limited, Self.film, at: 0)
        for second in [99, 100, 101] {
            _ = try write(Self.person, #"{"me":{"id":"p","name":"Irvin"}}"#, at: second)
            _ = try write(Self.rating, #"{"film":{"id":"1","rating":5}}"#, at: second)
            let result = store.checkAvailability(of: operation, at: .seconds(second))
            #expect(result.availability == (second > 100 ? .stale : .available(fetchedAt: .zero)))
            if second > 100 {
                #expect(result.staleness == .tooOld(nil, age: .seconds(101), limit: .seconds(100)))
            }
        }
    }

    @Test func aNullAndADeletedRecordHaveTheAgeOfTheirField() throws {
        let operation = try write(Self.limited, #"{"film":null}"#, at: 0)
        #expect(store.check(operation, at: .seconds(100)) == .available(fetchedAt: .zero))
        #expect(store.check(operation, at: .seconds(101)) == .stale)
        _ = try write(Self.limited, Self.film, at: 200)
        try store.update { try $0.delete("p") }
        #expect(store.check(operation, at: .seconds(260)) == .available(fetchedAt: .seconds(200)))
    }

    @Test func whatNoAnswerBroughtHasNoAge() throws {
        try store.update { records in
            let film = try records.create("1", type: "Film")
            try film.setValue("1", forField: "id")
            try film.setValue("Hope", forField: "title")
            try film.setValue(5, forField: "rating")
            try film.setLinkedRecord(nil, forField: "director")
            try records.root.setLinkedRecord(film, forField: "film")
        }
        let operation = store.bind(Self.limited, variables: .object([]))
        #expect(store.check(operation, at: .seconds(100_000)) == .available(fetchedAt: nil))
    }

    @Test func missingComesBeforeOld() throws {
        let operation = try write(Self.limited, Self.film, at: 0)
        try store.update { records in
            let other = try records.create("2", type: "Film")
            try other.setValue("2", forField: "id")
            try other.setValue("Empire", forField: "title")
            try records.root.setLinkedRecord(other, forField: "film")
        }
        guard case .missing(let place) = store.check(operation, at: .seconds(1000)) else {
            Issue.record("not missing")
            return
        }
        let location = FieldLocation(path: ["film", "rating"], dataID: "2", typename: "Film", storageKey: "rating")
        #expect(store.location(of: place) == location)
    }
}
