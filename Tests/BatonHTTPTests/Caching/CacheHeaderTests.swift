import Baton
import BatonHTTP
import Testing

@Suite struct CacheHeaderTests {
    let cache = CachingInterceptor(clock: StepClock(), date: { 0 })

    /// An application may have its credential in any header, and a server may look at any.
    @Test(arguments: ["Cookie", "X-Api-Key", "Proxy-Authorization", "X-Tenant"])
    func anyHeaderKeepsAnswersApart(_ name: String) async throws {
        for (control, count) in [("max-age=60", 2), ("public, max-age=60", 1)] {
            let server = CachingTests.server(["cache-control": control])
            let network = server.intercepted(by: CachingInterceptor(clock: StepClock(), date: { 0 }))
            for user in ["a", "b", "a", "b"] { _ = try await network.send(.make(headers: [name: user])) }
            // The spelling of the name does not matter.
            _ = try await network.send(.make(headers: [name.lowercased(): "a"]))
            #expect(server.sent.count == count, "\(control)")
        }
    }

    @Test func aKeyThatAStepInFrontAddsKeepsAnswersApart() async throws {
        let server = CachingTests.server()
        var texts: [String] = []
        for key in ["a", "b", "a"] {
            let authentication = AuthenticationInterceptor(
                load: { Credential(header: "X-Api-Key", value: key) }, refresh: { _ in nil })
            texts.append(try await server.intercepted(by: authentication, cache).send(.make()).text)
        }
        #expect(texts == [#"{"data":1}"#, #"{"data":2}"#, #"{"data":1}"#])
    }

    @Test func headersAboutTheWayKeepNothingApart() async throws {
        let server = CachingTests.server()
        let network = server.intercepted(by: TracingInterceptor(), cache)
        for id in 0..<3 {
            _ = try await network.send(.make(id, headers: ["X-Request-ID": "\(id)", "tracestate": "a=\(id)"]))
        }
        #expect(server.sent.count == 1)
    }

    /// The cache has the recommended steps in front of it.
    @Test func equalRequestsWithTracesBecomeOne() async throws {
        let gate = StepGate()
        let server = StubNetwork { _, _ in
            await gate.pass()
            return .text(#"{"data":1}"#, ["cache-control": "max-age=60"])
        }
        let began = Notes<Int>()
        let network = server.intercepted(
            by: LoggingInterceptor { began.add($0.requestID) }, TracingInterceptor(), MetricsInterceptor(), cache)
        let tasks = (0..<10).map { id in Task { try await network.send(.make(id)) } }
        await until { began.all.count == 10 && gate.arrivals >= 1 }
        // The other requests may still be on their way from the log to the cache.
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        for task in tasks { #expect(try await task.value.text == #"{"data":1}"#) }
        #expect(server.sent.count == 1)
    }

    /// A response serves one request if the server says that it depends on such a header.
    @Test func aServerMaySayThatTheAnswerDependsOnAHeader() async throws {
        let gate = StepGate()
        let server = StubNetwork { _, number in
            await gate.pass()
            return .text("{\"data\":\(number)}", ["cache-control": "max-age=60", "vary": "Accept, X-Request-Id"])
        }
        let network = server.intercepted(by: cache)
        let first = Task { try await network.send(.make(1, headers: ["X-Request-ID": "a"])).text }
        await until { gate.arrivals == 1 }
        let second = Task { try await network.send(.make(2, headers: ["X-Request-ID": "b"])).text }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        #expect(try await first.value == #"{"data":1}"#)
        #expect(try await second.value == #"{"data":2}"#)
        #expect(try await network.send(.make(3, headers: ["X-Request-ID": "a"])).text == #"{"data":1}"#)
    }

    @Test func aRequestThatWantsANewAnswerDoesNotTakeThatOfAnother() async throws {
        let gate = StepGate()
        let server = StubNetwork { _, number in
            await gate.pass()
            return .text("{\"data\":\(number)}", ["cache-control": "max-age=60"])
        }
        let network = server.intercepted(by: cache)
        let first = Task { try await network.send(.make(1)).text }
        await until { gate.arrivals == 1 }
        let second = Task { try await network.send(.make(2, headers: ["Cache-Control": "no-cache"])).text }
        await until { gate.arrivals == 2 }
        gate.open()
        #expect(try await first.value == #"{"data":1}"#)
        #expect(try await second.value == #"{"data":2}"#)
    }
}
