import Baton
import Films
import Synchronization

@main @MainActor struct Check {
    static func film(_ title: String, _ year: String) -> String {
        #"{"data":{"film":{"__typename":"Film","id":"f1","title":"\#(title)","year":\#(year),"seen":false}}}"#
    }

    static func main() async throws {
        let answer = Mutex(film("Up", "2009"))
        let gate = Gate()
        let second = Gate()
        let asked = Mutex(0)
        let server = Server { _ in
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            if number == 1 { await gate.wait() }
            if number == 2 { await second.wait() }
            return answer.withLock { $0 }
        }
        let environment = RelayEnvironment(network: server)
        let screen = FilmScreen(film: "f1", in: environment)
        expect(screen.lines, ["loading"], "the first lines")
        gate.open()
        await eventually("the film") { screen.lines == ["Up", "2009"] }
        _ = try environment.update { store in
            try store.get("Film", id: "f1")?.setValue("Upward", forField: "title")
        }
        await eventually("a change in the store") { screen.lines == ["Upward", "2009"] }
        answer.withLock { $0 = film("Down", "null") }
        screen.refresh()
        await eventually("the second request") { server.requests.count == 2 }
        expect(screen.lines, ["Upward", "2009"], "the lines during a refresh")
        second.open()
        await eventually("the new film") { screen.lines == ["Down", "?"] }
        let other = FilmScreen(film: "f1", in: environment)
        expect(other.lines, ["Down", "?"], "a screen over what is there")
        try await Task.sleep(for: .milliseconds(50))
        expect(server.requests.count, 2, "requests of two screens")

        let dead = FilmScreen(film: "f1", in: RelayEnvironment(network: Server { _ in throw Unreachable() }))
        await eventually("the failure") { dead.lines == ["failed"] }
        let none = FilmScreen(film: "f1", in: RelayEnvironment(network: Server { _ in #"{"data":{"film":null}}"# }))
        await eventually("no film") { none.lines == ["no film"] }
    }
}
