import Baton
import Films

@main struct Check {
    static func main() async throws {
        let server = Server { _ in
            #"{"data":{"film":{"__typename":"Film","id":"f1","title":"Up","year":2009,"seen":false}}}"#
        }
        let environment = RelayEnvironment(network: server)
        expect(state(of: "f1", in: environment), "missing", "before")
        expect(server.requests.count, 0, "requests of a look")
        try await warmUp("f1", in: environment)
        expect(state(of: "f1", in: environment), "there", "after")
        try await warmUp("f1", in: environment)
        expect(server.requests.count, 1, "requests of two")
        environment.invalidate()
        expect(state(of: "f1", in: environment), "stale", "after an invalidation")
        try await warmUp("f1", in: environment)
        expect(state(of: "f1", in: environment), "there", "after a third")
        let dead = RelayEnvironment(network: Server { _ in throw Unreachable() })
        if await thrown({ try await warmUp("f1", in: dead) }) == nil { fail("nothing is thrown") }
    }
}
