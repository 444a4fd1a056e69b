import Baton
import BatonHTTP
import Foundation
import Synchronization
import TerminalRenderer
import Testing

@testable import GitHub

/// What a service may do to the program, and a person to their own work.
extension ProgramTests {
    /// Changes the text of responses.
    final class Rewriting: NetworkInterceptor {
        let isOn: Mutex<Bool>
        private let operation: String?
        private let change: @Sendable (String) -> String
        let requests = Mutex(0)

        init(_ operation: String? = nil, isOn: Bool = true, _ change: @escaping @Sendable (String) -> String) {
            self.isOn = Mutex(isOn)
            (self.operation, self.change) = (operation, change)
        }

        func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
            requests.withLock { $0 += 1 }
            let isChanged = isOn.withLock { $0 } && operation ?? request.operationName == request.operationName
            try await next(request) { response in
                guard isChanged else { return try await deliver(response) }
                let body = self.change(String(decoding: response.body, as: UTF8.self))
                try await deliver(NetworkResponse(body: Array(body.utf8), metadata: response.metadata))
            }
        }
    }

    private func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "baton-github-\(UUID().uuidString)")
    }

    private func holds(_ lines: [String], _ text: String) -> Bool { lines.contains { $0.contains(text) } }

    // MARK: - Rows

    @Test(arguments: [40, 80, 160])
    func numbersAndCountsOfManyDigitsAreWhole(width: Int) async throws {
        let program = try ProgramTests(
            faults: "latency=100",
            interceptors: Rewriting {
                $0.replacing("\"number\":", with: "\"number\":123")
                    .replacing("\"commentCount\":{\"totalCount\":", with: "\"commentCount\":{\"totalCount\":1234")
            })
        let lines = await program.wait(width: width)
        let numbers = lines.compactMap { $0.firstMatch(of: #/[\u{25CB}\u{25CC}] (#123\d+) /#)?.output.1 }
        #expect(numbers.count >= 10 && numbers.allSatisfy { (5...7).contains($0.count) })
        if width == 80 { #expect(lines.contains { $0.contains(#/ 1234\d\u{1F4AC} /#) }) }
    }

    @Test func itemOfAnUnknownTypeIsNotMadeUp() async throws {
        let program = try ProgramTests(
            faults: "latency=100", log: { _ in },
            interceptors: Rewriting {
                $0.replacing(#""__typename":"Issue""#, with: #""__typename":"Discussion""#)
            })
        let lines = await program.wait(width: 160)
        #expect(holds(lines, "A Discussion, which this program cannot show."))
        #expect(!holds(lines, "#0") && !holds(lines, "ghost"))
        let requests = program.session.rate.state.requests
        for key in ["c", "x", "o", "y", "+"] as [Character] {
            await program.press(.character(key), width: 160)
            #expect(holds(await program.frame(160), "cannot do that with a Discussion"))
            #expect(program.session.focus == .list)
        }
        #expect(program.session.rate.state.requests == requests)
    }

    @Test func itemThatIsDeletedWhileItIsReadIsGone() async throws {
        let deletion = Rewriting("ItemPageQuery", isOn: false) { _ in
            """
            {"data": {"node": null, "viewer": {"id": "U_1", "login": "ada-byron"}, "rateLimit": null},
            "errors": [{"type": "NOT_FOUND", "path": ["node"],
            "message": "Could not resolve to a node with the global id of 'I_1'."}]}
            """
        }
        let program = try ProgramTests(
            faults: "latency=100", refreshInterval: .seconds(30), interceptors: deletion)
        _ = await program.wait()
        await program.press(.enter)
        _ = await program.wait()
        await program.press(.character("c"))
        program.screen.receive(.paste("what I think"))
        deletion.isOn.withLock { $0 = true }
        _ = await program.wait(31)
        await program.press(.escape)
        let lines = await program.frame()
        let item = try #require(program.selected)
        #expect(holds(lines, item.title) && holds(lines, "It is not there any more."))
        #expect(!holds(lines, "global id") && !holds(lines, "#0") && !holds(lines, "comments"))
        let requests = program.session.rate.state.requests
        for key: Key in [.character("x"), .character("+"), .character("c"), .control("s")] {
            await program.press(key)
            if key != .character("c") { #expect(holds(await program.frame(), "not there any more")) }
        }
        #expect(program.session.rate.state.requests == requests)
        #expect(program.session.writing.unsent.values.map(\.text) == ["what I think"])
    }

    // MARK: - The way to the end

    /// A page without a list, and one with the cursor of the page before.
    @Test(arguments: [false, true])
    func wayToTheEndCountsWhatHasCome(isRepeated: Bool) async throws {
        let first = Mutex<String?>(nil)
        let rewriting = Rewriting("IssueListPageQuery") { body in
            if !isRepeated { return #"{"data": {"node": null}}"# }
            return first.withLock { first in
                first = first ?? body
                return first ?? body
            }
        }
        let program = try ProgramTests(faults: "latency=100", issues: 1500, interceptors: rewriting)
        _ = await program.wait()
        await program.press(.character("s"), .character("s"))
        _ = await program.wait()
        await program.press(.character("G"))
        let lines = await program.wait(2)
        #expect(holds(lines, "The service sends no more.") && !holds(lines, "1000 more"))
        #expect(holds(lines, isRepeated ? "100 more are loaded." : " 30 of 1500"))
        // A page that does not come is not asked for in each frame.
        #expect(program.session.rate.state.requests < 10)
    }

    // MARK: - The rate limit

    @Test func nothingIsSentWithoutPointsUntilTheReset() async throws {
        let counter = Rewriting { $0 }
        let program = try ProgramTests(
            faults: "latency=100,limit=4", refreshInterval: .seconds(30), interceptors: counter)
        let start = program.session.now()
        _ = await program.wait()
        // Polls leave the last point... of so few there is no other.
        _ = await program.wait(300)
        let lines = await program.frame()
        #expect(counter.requests.withLock { $0 } == 4)
        let end = (start + 3600.1).timeOfDay
        #expect(holds(lines, "0/4 points left until \(end)"))
        #expect(!holds(lines, "OFFLINE"))
        await program.press(.character("2"))
        let refused = await program.wait()
        #expect(holds(refused, "The rate limit is used up until \(end)."))
        #expect(counter.requests.withLock { $0 } == 4 && program.session.connectivity.status.outage == nil)
        await program.clock.advance(by: .seconds(3310), settling: program.session.environment)
        // What was refused is there without a key.
        let after = await program.wait(2)
        #expect(holds(after, "Pull requests") && !program.rows(after).isEmpty)
        #expect(!holds(after, "used up"))
        _ = await program.wait(35)
        #expect(counter.requests.withLock { $0 } >= 6)
    }

    // MARK: - The person's work

    @Test func textsAndFilterOutliveTheProgram() async throws {
        let file = folder().appending(path: "work.json")
        let program = try ProgramTests(faults: "latency=100,comments=1", file: WorkFile(file))
        _ = await program.wait()
        await program.press(.character("f"))
        _ = await program.wait()
        await program.press(.down, .enter)
        _ = await program.wait()
        await program.press(.enter)
        _ = await program.wait()
        let item = try #require(program.selected)
        await program.press(.character("c"))
        program.screen.receive(.paste("half a thought"))
        // Also without a proper end.
        _ = await program.wait()
        #expect(try WorkFile(file).read().drafts.values.map(\.text) == ["half a thought"])
        await program.press(.escape, .character("q"))
        #expect(holds(await program.frame(), "Not sent: your text about \(item.name)."))
        await program.press(.escape)
        #expect(!program.screen.isOver && program.session.focus == .item)
        await program.press(.character("q"), .enter)
        #expect(program.screen.isOver)

        let next = try ProgramTests(faults: "latency=100", file: WorkFile(file))
        let lines = await next.wait()
        #expect(lines[0].contains("label:bug"))
        #expect(holds(lines, "Not sent yet: your text about \(item.name)."))
        await next.press(.enter)
        _ = await next.wait()
        await next.press(.character("c"))
        #expect(holds(await next.frame(), "half a thought"))
        await next.press(.control("s"))
        _ = await next.wait()
        #expect(try WorkFile(file).read().drafts.isEmpty)
        await next.press(.character("q"))
        #expect(next.screen.isOver)
    }

    /// A text that is on its way may be refused.
    @Test func textThatIsOnItsWayIsAskedAbout() async throws {
        let file = folder().appending(path: "work.json")
        let program = try ProgramTests(faults: "latency=100,comments=1", file: WorkFile(file))
        _ = await program.wait()
        await program.press(.enter)
        _ = await program.wait()
        await program.press(.character("c"))
        program.screen.receive(.paste("sent too late"))
        await program.press(.control("s"), .character("q"))
        #expect(holds(await program.frame(), "On its way, or not sent: your text about #"))
        program.session.keep()
        #expect(try WorkFile(file).read().drafts.values.map(\.text) == ["sent too late"])
    }

    @Test func fileThatCannotBeReadIsPutAside() async throws {
        let file = folder().appending(path: "work.json")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("{\"drafts\": {\"I_1\":".utf8).write(to: file)
        let program = try ProgramTests(faults: "latency=100", file: WorkFile(file))
        #expect(holds(await program.wait(), "cannot be read"))
        #expect(FileManager.default.fileExists(atPath: file.path + ".unreadable"))
    }

    @Test func twoProgramsKeepTheTextsOfBoth() throws {
        let url = folder().appending(path: "work.json")
        let (first, second) = (WorkFile(url), WorkFile(url))
        _ = (try first.read(), try second.read())
        let drafts = ["a", "b"].map { Writing.Draft(number: 1, text: $0) }
        try first.write(Work(filter: Filter(isPull: true), drafts: ["I_1": drafts[0]]))
        try second.write(Work(drafts: ["I_2": drafts[1]]))
        #expect(
            try WorkFile(url).read()
                == Work(filter: Filter(isPull: true), drafts: ["I_1": drafts[0], "I_2": drafts[1]]))
        try first.write(Work(filter: Filter(isPull: true)))
        #expect(try WorkFile(url).read().drafts == ["I_2": drafts[1]])
        // What another one has changed since stays, also where this one has an older text of it.
        let third = WorkFile(url)
        _ = try third.read()
        let changed = Writing.Draft(number: 1, text: "changed")
        try second.write(Work(drafts: ["I_2": changed]))
        try third.write(Work(filter: Filter(isPull: true), drafts: ["I_2": drafts[1], "I_3": drafts[0]]))
        #expect(try WorkFile(url).read().drafts == ["I_2": changed, "I_3": drafts[0]])
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    // MARK: - Words

    @Test(arguments: [
        RelayError.transport(HTTPError.refused(reason: "Failed to connect to 127.0.0.1 port 8080")),
        .transport(HTTPError.tls(reason: "SSL certificate problem")), .transport(HTTPError.stalled(after: .seconds(3))),
        .noResponse, .timedOut(after: .seconds(60)), .httpStatus(502, body: "<html>Bad Gateway</html>"),
        .httpStatus(401, body: "{\"message\": \"Bad credentials\"}"), .contentType("text/html", body: "<html>"),
        .httpStatus(403, body: "<html>"), .notInStore(component: "ItemPageQuery"), .cancelled,
        .noData([
            GraphQLError(message: "Field 'x' doesn't exist on type 'Issue'", locations: [.init(line: 1, column: 2)])
        ]),
        .noData([
            GraphQLError(
                message: "Argument 'first' on Field 'issues' has an invalid value", path: ["query", "issues"],
                extensions: ["code": "argumentLiteralsIncompatible"])
        ]),
        .noData([GraphQLError(message: "Could not resolve to a node with the global id of 'I_1'", path: ["node"])]),
        .noData([GraphQLError(message: "Could not resolve to a Repository with the name 'a/b'.", path: ["repository"])]
        ),
    ])
    func noSentenceForDevelopersReachesAPerson(error: RelayError) {
        let words = error.words
        for part in [
            "'", "<", "127.0", "port", "SSL", "timeout", "Query", "global id", "Field", "{", "GraphQL", "network",
        ] {
            #expect(!words.contains(part), "\(words)")
        }
        #expect(words.hasSuffix(".") && words.first?.isUppercase == true || words.contains("(502)"))
    }

    @Test func whatTheServiceWritesForPeopleIsPassedOn() {
        let text = "Unable to create comment because issue is locked."
        #expect(RelayError.noData([GraphQLError(message: text, path: ["addComment"])]).words == text)
        #expect(RelayError.httpStatus(403, body: "{\"message\": \"\(text)\"}").words == text)
    }
}
