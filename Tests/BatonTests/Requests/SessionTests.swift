import Synchronization
import Testing

@testable import Baton

/// The example of the guide "Changing the store" for a sign-in and a log-out, word for word.
@Suite(.timeLimit(.minutes(20))) struct SessionTests {
    /// Adds the credentials of the session, and refuses what is asked for while nobody is signed in.
    final class SessionNetwork: NetworkLayer {
        private let base: any NetworkLayer
        private let token = Mutex<String?>(nil)

        init(_ base: any NetworkLayer) { self.base = base }

        func setToken(_ new: String?) { token.withLock { $0 = new } }

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            guard let token = token.withLock({ $0 }) else { throw RelayError.configuration("nobody is signed in") }
            var request = request
            request.configuration.headers["Authorization"] = "Bearer \(token)"
            return try await base.send(request)
        }
    }

    /// Who is signed in. The application draws its components only while `isSignedIn` is true.
    actor Session {
        let environment: RelayEnvironment
        private let network: SessionNetwork
        private(set) var isSignedIn = false

        init(_ network: SessionNetwork, _ environment: RelayEnvironment) {
            (self.network, self.environment) = (network, environment)
        }

        func signIn(_ token: String) {
            network.setToken(token)
            isSignedIn = true
            // Handles that have lived on ask for the data of the new person.
            environment.reset(refetching: true)
        }

        func signOut() {
            // The components of the person are not drawn any more, so that they do not ask.
            isSignedIn = false
            // Nothing is sent with the old credentials from here on.
            network.setToken(nil)
            environment.reset()
        }
    }

    /// A component that is drawn only while somebody is signed in.
    private actor Page {
        let session: Session
        let film: QueryHandle<Films.FilmQuery>
        private(set) var shown: [String] = []

        init(_ session: Session) {
            self.session = session
            film = QueryHandle(in: session.environment, fetchPolicy: .storeOrNetwork)
        }

        func begin() { film.observe(on: self) { page, _ in Task { await page.draw() } } }

        func draw() async {
            let text = await session.isSignedIn ? film.get(id: "1").data?.film?.title ?? "..." : "Sign in"
            if shown.last != text { shown.append(text) }
        }
    }

    @Test func nothingIsSentOnBehalfOfNobody() async throws {
        let scripted = ScriptedNetwork()
        let network = SessionNetwork(scripted)
        let session = Session(network, RelayEnvironment(network: network, log: { _ in }))
        let page = Page(session)
        await page.begin()
        for (number, name) in ["Ann", "Ben"].enumerated() {
            await session.signIn(name)
            await page.draw()
            while scripted.waiting == 0 { await Task.yield() }
            scripted.answer(Films.film("1", "of \(name)"))
            while await page.shown.last != "of \(name)" { await Task.yield() }
            await session.signOut()
            while await page.shown.last != "Sign in" { await Task.yield() }
            _ = await session.environment.settled(timeout: .seconds(60))
            #expect(scripted.sent.map { $0.configuration.headers["Authorization"] }.suffix(1) == ["Bearer \(name)"])
            #expect(scripted.sent.count == number + 1 && scripted.waiting == 0)
        }
        let shown = await page.shown.filter { $0 != "..." }
        #expect(shown == ["of Ann", "Sign in", "of Ben", "Sign in"])
    }
}
