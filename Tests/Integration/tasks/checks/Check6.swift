import Baton
import Films
import Synchronization

protocol Tokens: Sendable {
    func current() async -> String?
    func renewed() async throws -> String
}

final class Wallet: Tokens {
    let state = Mutex(("old", 0))

    func current() async -> String? { state.withLock { $0.0 } }

    func renewed() async throws -> String {
        try await Task.sleep(for: .milliseconds(20))
        return state.withLock { state in
            state = ("new\(state.1)", state.1 + 1)
            return state.0
        }
    }
}

@main struct Check {
    static func main() async throws {
        let server = Server { request in
            guard request.configuration.headers["Authorization"] == "Bearer new0" else {
                return #"{"errors":[{"message":"sign in","extensions":{"code":"UNAUTHENTICATED"}}]}"#
            }
            return #"{"data":{"film":{"__typename":"Film","id":"f1","title":"Up","year":2009,"seen":false}}}"#
        }
        let wallet = Wallet()
        let environment = RelayEnvironment(network: signedIn(server, tokens: wallet))
        let titles = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 1...5 {
                group.addTask { try await environment.fetch(FilmQuery(id: "f\(number)")).data?.film?.title }
            }
            var titles: [String?] = []
            for try await title in group { titles.append(title) }
            return titles
        }
        expect(titles, ["Up", "Up", "Up", "Up", "Up"], "titles")
        expect(wallet.state.withLock { $0.1 }, 1, "times that the token was renewed")
        let tokens = server.requests.map { $0.configuration.headers["Authorization"] ?? "-" }
        if tokens.contains(where: { $0 != "Bearer old" && $0 != "Bearer new0" }) { fail("headers: \(tokens)") }
    }
}
