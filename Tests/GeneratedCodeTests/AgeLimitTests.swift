import Baton
import BatonTesting
import Testing

/// The setting `maxAge`, from `baton.json` through generated code to a handle.
@Suite struct AgeLimitTests {
    private let clock = ManualClock()

    private func environment(_ body: String) -> RelayEnvironment {
        RelayEnvironment(network: CannedNetwork(body), clock: clock)
    }

    /// Returns the state of a handle this number of seconds after the start.
    private func shown<Query: GraphQLQuery>(
        _ query: Query, at second: Int, in environment: RelayEnvironment
    ) -> QueryResult<Query.Data> {
        clock.advance(to: .init(offset: .seconds(second)))
        return QueryHandle<Query>(in: environment, fetchPolicy: .storeOrNetwork).get(query.variables)
    }

    @Test func aFieldIsAskedForAgainWhenItIsTooOld() async throws {
        let human = environment(#"{"data": {"hero": {"__typename": "Human", "id": "h", "name": "Luke"}}}"#)
        let data = try await human.fetch(HeroNameQuery(episode: .jedi)).data
        for (second, isShown) in [(59, true), (60, true), (61, false)] {
            let expected = isShown ? QueryResult.success(data) : .loading
            #expect(shown(HeroNameQuery(episode: .jedi), at: second, in: human) == expected, "\(second)")
        }
    }

    /// The name of a human has a limit, and that of a droid has none. The query has a limit too.
    @Test func aLimitOfAnObjectTypeConcernsNoOtherOfItsInterface() async throws {
        let droid = environment(#"{"data": {"hero": {"__typename": "Droid", "id": "d", "name": "R2-D2"}}}"#)
        let data = try await droid.fetch(HeroNameQuery(episode: .jedi)).data
        for (second, isShown) in [(61, true), (300, true), (301, false)] {
            let expected = isShown ? QueryResult.success(data) : .loading
            #expect(shown(HeroNameQuery(episode: .jedi), at: second, in: droid) == expected, "\(second)")
        }
    }
}
