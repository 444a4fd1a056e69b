import Baton
import Films

@main struct Check {
    static func main() async throws {
        let environment = RelayEnvironment(
            network: Server { _ in
                #"{"data":{"film":{"__typename":"Film","id":"f1","title":"Up","year":2009,"seen":false}}}"#
            })
        expect(try markSeen("f1", in: environment), false, "a film that the store has not")
        _ = try await environment.fetch(FilmQuery(id: "f1"))
        let retained = environment.retain(FilmQuery(id: "f1"))
        expect(try markSeen("f1", in: environment), true, "a film that the store has")
        @Sendable func film() -> FilmQuery.Data.Film? { environment.read(FilmQuery(id: "f1")).data?.film }
        expect(film()?.seen, true, "seen")
        await tryTitle("Down", film: "f1", in: environment) {
            await Task.yield()
            expect(film()?.title, "Down", "the title that is tried")
        }
        expect(film()?.title, "Up", "the title after")
        expect(film()?.seen, true, "seen after")
        retained.release()
    }
}
