import Baton
import Testing

/// The generated `get` methods of queries.
@Suite struct GetTests {
    @Test func getTakesOneArgumentForEachVariable() {
        let environment = RelayEnvironment(network: CannedNetwork(#"{"data": null}"#))
        let details = QueryHandle<HeroDetailsQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(details.get(episode: .jedi, withFriends: true, fetchKey: 1) == .success(nil))
        #expect(details.get(withFriends: true) == .success(nil))
        let matrix = QueryHandle<MatrixQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(matrix.get() == .success(nil))
        #expect(matrix.get(fetchKey: "key") == .success(nil))
        let films = QueryHandle<FilmsQuery>(in: environment, fetchPolicy: .storeOnly)
        _ = films.get(fetchKey2: 1, in: 2, fetchKey: 3)
    }

    @Test func getReturnsTheFetchedData() async throws {
        let (data, environment) = try await answer(
            HeroNameQuery(episode: .jedi),
            #"{"data": {"hero": {"__typename": "Human", "id": "h", "name": "Luke"}}}"#
        )
        let handle = QueryHandle<HeroNameQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(episode: .jedi) == .success(data))
        #expect(data.hero?.name == "Luke")
    }
}
