import Baton
import Synchronization

@main struct Check {
    static func main() async throws {
        let answer = Mutex<Result<String, any Error>>(.success(""))
        let waits = Mutex(false)
        let environment = RelayEnvironment(
            network: Server { _ in
                if waits.withLock({ $0 }) {
                    try await Task.sleep(for: .seconds(60))
                }
                return try answer.withLock { $0 }.get()
            })
        func told(_ text: String) async -> String {
            answer.withLock { $0 = .success(text) }
            return await word(for: "f1", in: environment)
        }
        expect(await told(#"{"data":{"film":{"id":"f1","owner":{"id":"p1","name":"Ann"}}}}"#), "Ann", "a name")
        expect(await told(#"{"data":{"film":null}}"#), "no film", "no film")
        expect(await told(#"{"data":null,"errors":[{"message":"closed"}]}"#), "refused: closed", "a refusal")
        expect(await told(#"{"data":{"film":{"id":"f1","owner":{"id":"p1","name":null}}}}"#), "unnamed", "no name")
        expect(await told("<html>"), "other", "a broken answer")
        answer.withLock { $0 = .failure(Unreachable()) }
        expect(await word(for: "f1", in: environment), "offline", "no network")
        waits.withLock { $0 = true }
        let task = Task { await word(for: "f1", in: environment) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        expect(await task.value, "cancelled", "a task that is cancelled")
    }
}
