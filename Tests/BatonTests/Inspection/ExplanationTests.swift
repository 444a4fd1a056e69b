import Testing

@testable import Baton

@Suite struct ExplanationTests {
    private static func artifact(_ name: String, _ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(name: name, kind: .query, text: "", normalization: plan, reader: plan)
    }

    private static func write(_ store: Store, _ name: String, _ plan: String, _ json: String) throws {
        let operation = store.bind(artifact(name, plan), variables: .object([]))
        store.publish(try store.normalize(Array(json.utf8), for: operation), for: operation, request: 7)
    }

    private static func films() throws -> Store {
        let store = Store(options: StoreOptions(history: StoreOptions.History(fields: true)), now: { .seconds(3) })
        try write(
            store, "Film", "{film:+Film{id:ID! title:String! rating:Int}}",
            #"{"data":{"film":{"id":"1","title":"A","rating":5}}}"#)
        return store
    }

    @Test func itSaysWhichOperationWroteAFieldWhen() throws {
        let store = try Self.films()
        try store.update { try $0.get("1")?.setValue(6, forField: "rating") }
        let title = store.explain("1", "title")
        #expect(title.write?.source == .response(operationName: "Film", kind: .query, request: 7))
        #expect(title.write?.version == 1)
        #expect(title.write?.time == .seconds(3))
        #expect(title.isFieldExact)
        #expect(title.value == "A")
        let rating = store.explain("1", "rating")
        #expect(rating.write?.source == .update)
        #expect(rating.write?.version == 2)
        #expect(
            rating.description
                == "The field 'rating' of Film '1' is 6. The field was changed last by a local update (version 2, at 3.0 seconds)."
        )
        #expect(store.explain("1").state == .existing)
    }

    @Test func withoutFieldHistoryTheRecordStandsForItsFields() throws {
        let store = Store()
        try Self.write(
            store, "Film", "{film:+Film{id:ID! title:String!}}", #"{"data":{"film":{"id":"1","title":"A"}}}"#)
        try store.update { try $0.get("1")?.setValue(6, forField: "rating") }
        let title = store.explain("1", "title")
        #expect(title.write?.source == .update)
        #expect(!title.isFieldExact)
        #expect(title.description.contains("The record was changed last by a local update"))
    }

    @Test func itSaysThatAnotherOperationBroughtTheRecordWithoutTheField() throws {
        let store = try Self.films()
        try Self.write(store, "Other", "{film:+Film{id:ID! rating:Int}}", #"{"data":{"film":{"id":"2","rating":1}}}"#)
        let film = store.bind(
            Self.artifact("Film", "{film:+Film{id:ID! title:String! rating:Int}}"), variables: .object([]))
        guard case .missing(let place) = store.check(film) else {
            Issue.record("nothing is missing")
            return
        }
        let (cause, link) = store.explain(place, from: film.root, film.reader)
        #expect(cause.dataID == "2")
        #expect(cause.storageKey == "title")
        #expect(cause.isSelectedByWriter == false)
        #expect(
            cause.description.contains(
                "query 'Other', request 7 (version 2, at 3.0 seconds), which does not select 'title'."))
        #expect(link?.dataID == .root)
        #expect(link?.storageKey == "film")
        #expect(link?.write?.source == .response(operationName: "Other", kind: .query, request: 7))
    }

    @Test func itSaysWhoDeletedARecord() throws {
        let store = try Self.films()
        try store.update { try $0.delete("1") }
        let explanation = store.explain("1", "title")
        #expect(explanation.state == .deleted)
        #expect(explanation.write?.source == .update)
        #expect(
            explanation.description
                == "The record '1' is deleted; links to it read as null. It was deleted by a local update (version 2, at 3.0 seconds)."
        )
    }

    @Test func itSaysThatAnotherTypeTookThePlace() throws {
        let store = try Self.films()
        try Self.write(store, "Book", "{book:+Book{id:ID! pages:Int}}", #"{"data":{"book":{"id":"1","pages":9}}}"#)
        let explanation = store.explain("1", "title")
        #expect(explanation.typename == "Book")
        #expect(explanation.value == nil)
        #expect(explanation.write?.source == .response(operationName: "Book", kind: .query, request: 7))
        #expect(explanation.isSelectedByWriter == false)
    }

    @Test func itSaysWhatInvalidatedARecord() throws {
        let store = try Self.films()
        store.invalidate("1")
        store.invalidate(type: "Film")
        store.invalidate()
        try store.update { try $0.get("1")?.invalidate() }
        let invalidations = store.explain("1").invalidations
        #expect(invalidations.map(\.target) == [.record, .store])
        #expect(invalidations.map(\.write.source) == [.update, .invalidation])
        #expect(store.explain("1").description.contains("Everything was invalidated by an invalidation (version 4"))
    }

    @Test func itSaysThatNobodyEverWroteIt() throws {
        let store = try Self.films()
        #expect(store.explain("nobody").description == "No response and no update ever wrote the record 'nobody'.")
        #expect(store.explain("nobody").write == nil)
    }

    @Test func itKnowsOptimisticChangesResetsAndSnapshots() throws {
        let store = try Self.films()
        let bytes = store.snapshot()
        let layer = store.apply({ try $0.get("1")?.setValue(9, forField: "rating") })
        #expect(store.explain("1", "rating").write?.source == .optimistic)
        store.drop(layer)
        #expect(store.explain("1", "rating").write?.source == .revert, "its end changed it back")
        try store.update { _ = try $0.create("2", type: "Film") }
        try store.restore(bytes)
        #expect(store.explain("2").write?.source == .restore)
        #expect(store.explain("2").state == .unknown)
    }

    @Test func itSaysThatARecordWasCollected() throws {
        let store = try Self.films()
        // Another record links to the collected one, so that its name is known.
        try store.update { records in
            let shelf = try records.create("shelf", type: "Shelf")
            try shelf.setLinkedRecord(records.get("1"), forField: "film")
        }
        let operation = store.bind(Self.artifact("Shelf", "{shelf:+Shelf{id:ID!}}"), variables: .object([]))
        try store.write(#"{"data":{"shelf":{"id":"shelf"}}}"#, for: operation)
        store.operations.retain(operation)
        #expect(store.explain("1").state == .existing)
        store.collector.collectGarbage()
        let explanation = store.explain("1", "title")
        #expect(explanation.state == .unknown)
        #expect(explanation.write?.source == .collection)
        #expect(
            explanation.description.hasPrefix(
                "The record '1' was collected: no operation, handle or layer held it any more."))
    }

    @Test func whatIsTooLongAgoIsForgotten() throws {
        let store = Store(options: StoreOptions(history: StoreOptions.History(publishes: 2)))
        try store.update { _ = try $0.create("1", type: "Film") }
        for round in 0..<3 { try store.update { try $0.root.setValue(.int(round), forField: "n") } }
        let write = try #require(store.explain("1").write)
        #expect(write.source == .forgotten)
        #expect(write.version == 1)
        #expect(write.time == nil)
        #expect(store.explain("client:root", "n").write?.source == .update)
    }

    @Test func handlesSayWhyTheyShowWhatTheyShow() async throws {
        let stage = Stage()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Star Wars"))
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        #expect(handle.explanation == nil)
        _ = handle.get(id: "1")
        #expect(handle.explanation?.availability.isAvailable == true)
        stage.environment.invalidate("1")
        #expect(handle.explanation?.availability == .stale(.recordInvalidated("1")))
        #expect(handle.explanation?.description.contains("the record '1' was invalidated since it was fetched") == true)
        // Another query moves the link to a film of which it selects fewer fields.
        try stage.environment.update { records in
            let other = try records.create("9", type: "Film")
            try records.root.setLinkedRecord(other, forField: "film", arguments: ["id": "1"])
        }
        let explanation = try #require(handle.explanation)
        guard case .missing(let place) = explanation.availability else {
            Issue.record("\(explanation)")
            return
        }
        #expect(place.dataID == "9")
        #expect(explanation.cause?.write?.source == .update)
        #expect(explanation.link?.storageKey == #"film(id:"1")"#)
        #expect(
            explanation.description.contains(
                "What leads there: The field 'film(id:\"1\")' of __Root 'client:root' is \"9\"."))
    }
}
