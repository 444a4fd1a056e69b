import Baton
import Synchronization

/// A server of events, which the check sends by hand.
final class Events: NetworkLayer {
    let stream = Mutex<AsyncThrowingStream<NetworkResponse, any Error>.Continuation?>(nil)
    let ended = Mutex(false)

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw Unreachable() }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        AsyncThrowingStream { continuation in
            continuation.onTermination = { _ in self.ended.withLock { $0 = true } }
            stream.withLock { $0 = continuation }
        }
    }

    func tell(_ number: Int) {
        let body = #"{"data":{"unread":\#(number)}}"#
        _ = stream.withLock { $0?.yield(NetworkResponse(body: Array(body.utf8), hasNext: true)) }
    }

    func fail() {
        stream.withLock { $0?.finish(throwing: Unreachable()) }
    }
}

@MainActor final class Shown {
    var texts: [String] = []
}

@main @MainActor struct Check {
    static func main() async throws {
        let events = Events()
        let shown = Shown()
        let badge = Badge(in: RelayEnvironment(network: events)) { shown.texts.append($0) }
        await eventually("the request") { events.stream.withLock { $0 != nil } }
        await eventually("the empty text") { shown.texts.last == "" }
        events.tell(3)
        await eventually("the first event") { shown.texts.last == "3" }
        events.tell(4)
        await eventually("the second event") { shown.texts.last == "4" }
        badge.stop()
        await eventually("the end of the request") { events.ended.withLock { $0 } }
        events.tell(5)
        try await Task.sleep(for: .milliseconds(50))
        expect(shown.texts.last, "4", "after stop")

        let failing = Events()
        let seen = Shown()
        let second = Badge(in: RelayEnvironment(network: failing)) { seen.texts.append($0) }
        await eventually("the second request") { failing.stream.withLock { $0 != nil } }
        failing.tell(1)
        await eventually("an event") { seen.texts.last == "1" }
        failing.fail()
        await eventually("the failure") { seen.texts.last == "-" }
        second.stop()

        let dropped = Events()
        var third: Badge? = Badge(in: RelayEnvironment(network: dropped)) { _ in }
        weak let held = third
        await eventually("the third request") { dropped.stream.withLock { $0 != nil } }
        third = nil
        await eventually("the end of what is let go") { held == nil && dropped.ended.withLock { $0 } }
    }
}
