import Testing

@testable import Baton

@Suite struct LogTests {
    /// A response with the same ID for an object of another type.
    static let other =
        #"{"data":{"setFavourite":{"film":{"id":"p1","favourite":true}}}}"#

    @Test func aRecordThatChangesItsTypeIsReported() async throws {
        let stage = Stage()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Hope"))
        stage.log.clear()
        async let response = stage.environment.commit(
            Films.SetFavouriteMutation(variables: .init(id: "p1", favourite: true)))
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(Self.other)
        _ = try await response
        let changes = stage.log.typeChanges
        #expect(changes.map(\.dataID) == ["p1"])
        #expect(changes.map(\.oldType) == ["Person"])
        #expect(changes.map(\.newType) == ["Film"])
        #expect(changes.map(\.publish) == stage.log.publishes.map(\.number))
        #expect(stage.environment.store.dump().contains("p1"))
    }

    @Test func aMissingFieldIsNamedWithItsRecord() async throws {
        let stage = Stage()
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"1","title":"Hope"}}}"#)
        stage.log.clear()
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        _ = handle.get(id: "1")
        let location = FieldLocation(path: ["film", "rating"], dataID: "1", typename: "Film", storageKey: "rating")
        #expect(stage.log.missing.map(\.location) == [location])
        #expect(location.description == "film.rating (Film 1, rating)")
        stage.log.clear()
        let other = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOrNetwork)
        _ = other.get(id: "2")
        let root = FieldLocation(
            path: ["film"], dataID: .root, typename: "__Root", storageKey: #"film(id:"2")"#)
        #expect(stage.log.checks.map(\.availability) == [.missing(root)])
        #expect(stage.log.policies == [.storeOrNetwork])
    }

    @Test func anUpdateThatThrowsIsReported() async throws {
        struct Broken: Error {}
        let stage = Stage()
        #expect(throws: Broken.self) { try stage.environment.update { _ in throw Broken() } }
        #expect(throws: UpdateError.root) { try stage.environment.update { try $0.delete(.root) } }
        #expect(stage.log.updateFailures.map(\.isRefused) == [false, true])
        #expect(stage.log.updateFailures.map(\.source) == [.update, .update])
        #expect(stage.log.publishes.isEmpty)
    }

    @Test func aPublishCountsWhomItAsked() async throws {
        let stage = Stage()
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Hope"))
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        _ = handle.get(id: "1")
        stage.log.clear()
        try stage.environment.update { try $0.get("1")?.setValue(false, forField: "archived") }
        try stage.environment.update { try $0.get("1")?.setValue("Return", forField: "title") }
        #expect(stage.log.publishes.map(\.componentsChecked) == [1, 1])
        #expect(stage.log.publishes.map(\.componentsNotified) == [0, 1])
    }
}
