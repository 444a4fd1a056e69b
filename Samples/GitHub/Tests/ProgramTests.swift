import Baton
import BatonTesting
import Foundation
import Synchronization
import TerminalRenderer
import Testing

@testable import GitHub
@testable import GitHubService

/// The program as frames: what a person sees after keys, on a manual clock.
@MainActor
struct ProgramTests {
    let clock = ManualClock()
    let session: Session
    let screen: Screen
    let service: GitHubService

    /// The longest pauses, which are the same on every run.
    private struct NoJitter: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    init() throws { try self.init(faults: "latency=100") }

    init(
        faults: String, issues: Int = 200, refreshInterval: Duration? = nil, file: WorkFile? = nil,
        persistence: (any RelayEnvironment.Persistence)? = nil,
        log: @escaping @Sendable (LogEvent) -> Void = MistakeOutput.write, interceptors: any NetworkInterceptor...
    ) throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let (clock, start) = (clock, clock.now)
        service = try GitHubService(
            issues: issues, pulls: 50, comments: 6 * issues, now: now, faults: Faults(parsing: faults), clock: clock)
        var network: any NetworkLayer = service
        for interceptor in interceptors { network = network.intercepted(by: interceptor) }
        session = Session(
            network: network, repository: ("baton-samples", "harbor"), clock: clock,
            refreshInterval: refreshInterval, now: { now + start.duration(to: clock.now) / .seconds(1) },
            random: NoJitter(), file: file, persistence: persistence, log: log)
        let session = session
        screen = Screen(session.environment, clock: clock) { App(in: $0, session) }
    }

    /// The lines of the frame when every request rests.
    func frame(_ width: Int = 80, _ height: Int = 24) async -> [String] {
        var lines: [String] = []
        while true {
            await settle(session.environment)
            let next = screen.canvas(size: Size(width: width, height: height)).lines
            if next == lines { return lines }
            lines = next
        }
    }

    func press(_ keys: Key..., width: Int = 80, height: Int = 24) async {
        for key in keys {
            screen.receive(.key(key))
            _ = await frame(width, height)
        }
    }

    /// Lets time pass until nothing is under way.
    func wait(_ seconds: Double = 1, width: Int = 80, height: Int = 24) async -> [String] {
        let step = seconds > 5 ? 1.0 : 0.1
        for _ in 0..<Int(seconds / step) {
            await clock.advance(by: .seconds(step), settling: session.environment)
            // The tasks of the program that wait for the clock run on the main actor.
            await Task.yield()
            _ = await frame(width, height)
        }
        return await frame(width, height)
    }

    func rows(_ lines: [String]) -> [Substring] {
        lines.compactMap { line in
            line.firstMatch(of: /[\u{25CB}\u{25CC}\u{25CF}\u{25C6}] (#\d+)/)?.output.1
        }
    }

    @Test func firstFrameComesBeforeData() async throws {
        let lines = await frame()
        #expect(lines[0].hasPrefix("baton-samples/harbor"))
        #expect(lines.contains { $0.contains("Loading") })
    }

    @Test func listIsLoadedAsItIsScrolled() async throws {
        _ = await wait()
        #expect(session.rate.state.requests == 1)
        await press(.pageDown, .pageDown)
        _ = await wait()
        #expect(session.rate.state.requests == 2)
        await press(.pageDown, .pageDown)
        let lines = await wait()
        #expect(session.rate.state.requests == 3)
        #expect(lines.contains { $0.contains("60 of 76") })
    }

    @Test func endOfTheListIsGoneTo() async throws {
        _ = await wait()
        await press(.character("G"))
        #expect(await frame().contains { $0.contains("any key stops, 30 of 76") })
        let lines = await wait()
        #expect(lines.contains { $0.contains(" 76 of 76") } && session.rate.state.requests == 2)
        #expect(rows(lines).last == "#\(try #require(selected).number)")
    }

    var selected: ListedItem? { session.target.flatMap { session.environment.read($0.reference)?.listed } }

    /// A key at the end of a long list costs no more than ten requests, and a tenth of what is left.
    @Test(arguments: [5000, 26])
    func wayToTheEndIsBounded(limit: Int) async throws {
        let program = try ProgramTests(faults: "latency=100,limit=\(limit)", issues: 1500)
        _ = await program.wait()
        await program.press(.character("s"), .character("s"))
        _ = await program.wait()
        let before = program.session.rate.state.requests
        await program.press(.character("G"))
        let lines = await program.wait(2)
        let pages = min(10, (limit - before) / 10)
        #expect(lines.contains { $0.contains(" \(30 + 100 * pages) of 1500") })
        #expect(lines.contains { $0.contains("\(100 * pages) more are loaded, G goes on.") })
        // The next page is loaded ahead, as wherever a list is read.
        #expect(program.session.rate.state.requests <= before + pages + 1)
        guard limit == 5000 else { return }
        await program.press(.character("G"))
        #expect(await program.wait(2).contains { $0.contains(" 1500 of 1500") })
    }

    @Test(arguments: ["k", "2", "?", "\u{1B}"] as [Character])
    func anyKeyEndsTheWayToTheEnd(key: Character) async throws {
        let program = try ProgramTests(faults: "latency=100", issues: 1500)
        _ = await program.wait()
        await program.press(.character("s"), .character("s"))
        _ = await program.wait()
        await program.press(.character("G"))
        #expect(await program.wait(0.4).contains { $0.contains("any key stops, ") })
        let requests = program.session.rate.state.requests
        await program.press(key == "\u{1B}" ? .escape : .character(key))
        let lines = await program.wait(2)
        #expect(program.session.rate.state.requests <= requests + 2)
        #expect(!lines.contains { $0.contains("any key stops, ") })
    }

    @Test func itemThatCannotBeLoadedHasItsTitleAndAKey() async throws {
        let refusal = Refusal()
        let program = try ProgramTests(faults: "latency=100", interceptors: refusal)
        _ = await program.wait()
        await program.press(.enter)
        let lines = await program.wait()
        let item = try #require(program.selected)
        for part in [item.title, "open #\(item.number)", item.author, "not today", "r tries again"] {
            #expect(lines.contains { $0.contains(part) }, "\(part)")
        }
        refusal.isOver.withLock { $0 = true }
        await program.press(.character("r"))
        #expect(await program.wait().contains { $0.contains(#/ \d+ comments? /#) })
    }

    /// Refuses items.
    private final class Refusal: NetworkInterceptor {
        let isOver = Mutex(false)

        func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
            if request.operationName == "ItemPageQuery", !isOver.withLock({ $0 }) {
                throw RelayError.httpStatus(403, body: #"{"message": "not today"}"#)
            }
            try await next(request, deliver)
        }
    }

    /// Presses the left button where a text stands.
    private func click(_ text: String) async throws {
        let lines = await frame()
        let row = try #require(lines.firstIndex { $0.contains(text) }, "\(text)")
        let start = try #require(lines[row].range(of: text)?.lowerBound)
        let column = lines[row][..<start].reduce(0) { $0 + $1.displayWidth }
        screen.receive(.mouse(MouseEvent(.press(button: 0), column: column, row: row)))
    }

    @Test func clicksChooseAndCloseWindows() async throws {
        _ = await wait()
        await press(.enter)
        _ = await wait()
        let block = try #require(session.block)
        await press(.character("+"))
        try await click("heart")
        _ = await frame()
        let groups = try #require(session.environment.read(block.reference)?.asReactable?.reactionGroups)
        #expect(groups.contains { $0.content == .heart && $0.viewerHasReacted } && session.focus == .item)
        for window in ["?", "c", "f", "a", "+"] as [Character] {
            await press(.character(window))
            _ = await wait()
            screen.receive(.mouse(MouseEvent(.press(button: 0), column: 0, row: 2)))
            #expect(session.focus == .item)
        }
        await press(.character("f"))
        _ = await wait()
        try await click("enhancement")
        #expect(session.filter.label == "enhancement" && session.focus == .list)
        // What stands around a window can be clicked at, too.
        await press(.character("c"))
        try await click("2 Pulls")
        #expect(session.filter.isPull && session.focus == .list)
    }

    /// What others change shows after a while, without a key and without a flicker.
    @Test func listIsFetchedAgainByItself() async throws {
        let program = try ProgramTests(faults: "latency=100", refreshInterval: .seconds(30))
        let before = await program.wait()
        let target = try #require(program.session.target)
        let elsewhere = RelayEnvironment(network: program.service, clock: program.clock, log: { _ in })
        var isClosed = false
        Task {
            _ = try? await elsewhere.commit(ClosingCloseIssueMutation(id: target.id))
            isClosed = true
        }
        while !isClosed {
            await Task.yield()
            await program.clock.advance(by: .milliseconds(100), settling: elsewhere)
        }
        #expect(program.rows(await program.wait(20)) == program.rows(before))
        let after = await program.wait(15)
        #expect(program.rows(after) == Array(program.rows(before).dropFirst()) + program.rows(after).suffix(1))
        #expect(after[1].contains("Issues") && !after[1].contains("loading"))
    }

    /// A list that has grown is not cut back to its first page.
    @Test func listThatHasGrownIsNotFetchedAgain() async throws {
        let program = try ProgramTests(faults: "latency=100", refreshInterval: .seconds(30))
        _ = await program.wait()
        await program.press(.end)
        let before = await program.wait()
        #expect(await program.wait(40) == before)
    }

    /// A title is worth more than a label.
    @Test(arguments: [40, 80, 160])
    func titleIsCutOnlyWhereNoLabelIsShown(width: Int) async throws {
        let lines = await wait(width: width).dropFirst(2).dropLast(3)
        for var line in lines.map({ $0[...] }) {
            // Only the list, not what stands beside it.
            if let end = line.range(of: "\u{2502}\u{2502}")?.lowerBound { line = line[..<end] }
            guard let cut = line.firstIndex(of: "\u{2026}") else { continue }
            #expect(!Words.labels.contains { line[cut...].contains($0.0) }, "\(line)")
        }
        #expect(width < 160 || lines.contains { line in Words.labels.contains { line.contains(" \($0.0) ") } })
    }

    @Test func helpIsReadToItsEndOnALowScreen() async throws {
        _ = await wait(width: 40, height: 10)
        await press(.character("?"), width: 40, height: 10)
        var seen = ""
        for _ in 0..<40 {
            seen += await frame(40, 10).joined(separator: "\n")
            await press(.down, width: 40, height: 10)
        }
        for (key, _) in Help.keys { #expect(seen.contains(key)) }
        await press(.escape, width: 40, height: 10)
        #expect(session.focus == .list)
    }

    /// Also one of which more pages were loaded.
    @Test(arguments: [["c", "r", "a"], ["a"]])
    func aSearchThatIsMadeAgainIsFetchedAgain(text: [Character]) async throws {
        func search() async -> [Substring] {
            await press(.character("/"))
            for character in text { await press(.character(character)) }
            await press(.enter)
            return rows(await wait())
        }
        _ = await wait()
        let before = await search()
        await press(.end)
        _ = await wait()
        await press(.home)
        await press(.character("x"))
        #expect(rows(await wait()) == before)
        await press(.character("0"))
        _ = await wait()
        let after = await search()
        #expect(Array(after.prefix(before.count - 1)) == Array(before.dropFirst()))
    }

    @Test func searchShowsNothingOfTwoStates() async throws {
        let before = rows(await wait())
        await press(.character("/"), .character("c"), .character("r"), .character("a"))
        // While the answer is on its way the list before stays, whole.
        await clock.advance(by: .milliseconds(100), settling: session.environment)
        await Task.yield()
        #expect(rows(await frame()) == before)
        let lines = await wait()
        #expect(lines.contains { $0.contains("Found") })
        #expect(rows(lines) != before)
        await press(.escape)
        #expect(rows(await wait()) == before)
    }

    @Test func olderSearchIsGivenUp() async throws {
        _ = await wait()
        await press(.character("/"))
        for character in "flickers" {
            screen.receive(.key(.character(character)))
            _ = await wait(0.1)
        }
        let lines = await wait()
        #expect(lines.contains { $0.contains("Found") })
        #expect(session.connectivity.status.requestsInFlight == 0)
        #expect(session.connectivity.status.outage == nil)
    }

    @Test func itemIsShownWithItsComments() async throws {
        _ = await wait()
        await press(.enter)
        // What the list has fetched is there at once.
        #expect(await frame().contains { $0.contains("open #") })
        let lines = await wait()
        #expect(lines.contains { $0.contains(#/ \d+ comments? /#) })
        await press(.down)
        #expect(await frame().contains { $0.contains(#/ 1 of \d+ comments? /#) })
        await press(.escape)
        #expect(!rows(await frame()).isEmpty)
    }

    @Test func wideScreensShowListAndItem() async throws {
        _ = await frame(160, 40)
        let lines = await wait(width: 160, height: 40)
        #expect(lines.contains { $0.contains("Issues") && $0.contains("Issue \u{2500}") })
    }

    @Test func closedItemIsShownAtOnceAndOpensAgain() async throws {
        _ = await wait()
        await press(.character("x"))
        #expect(await frame()[2].contains("\u{25CF}"))
        #expect(await wait()[2].contains("\u{25CF}"))
        await press(.character("x"))
        #expect(await wait()[2].contains("\u{25CB}"))
    }

    @Test func failedCommentIsTakenBackAndKept() async throws {
        let program = try ProgramTests(faults: "latency=100,comments=1")
        _ = await program.wait()
        await program.press(.enter)
        let before = await program.wait()
        await program.press(.character("c"))
        program.screen.receive(.paste("it breaks\nfor me, too"))
        await program.press(.control("s"))
        // The comment is at the end of the text.
        await program.press(.end)
        #expect(await program.frame().contains { $0.contains("for me, too") })
        await program.press(.home)
        let after = await program.wait()
        #expect(after.contains { $0.contains("Not sent") && $0.contains("Could not add the comment") })
        #expect(after[2...20] == before[2...20])
        await program.press(.character("c"))
        #expect(await program.frame().contains { $0.contains("for me, too") })
    }

    @Test func sentCommentStays() async throws {
        _ = await wait()
        await press(.enter)
        let count = try #require(await wait().joined().firstMatch(of: /(\d+) comment/)?.output.1)
        await press(.character("c"))
        screen.receive(.paste("seen here"))
        await press(.control("s"))
        let lines = await wait()
        #expect(lines.contains { $0.contains("seen here") })
        #expect(lines.contains { $0.contains("of \((Int(count) ?? 0) + 1) comments") })
    }

    /// Also where the window hides them.
    @Test(arguments: [(80, 24), (40, 10)])
    func commentIsWrittenWhileTheOthersArrive(width: Int, height: Int) async throws {
        _ = await wait(width: width, height: height)
        await press(.enter, .character("c"), width: width, height: height)
        screen.receive(.paste("seen here"))
        _ = await wait(width: width, height: height)
        await press(.control("s"), width: width, height: height)
        #expect(await wait(width: width, height: height).contains { $0.contains("seen here") })
        let target = try #require(session.target)
        #expect(session.focus == .item && session.writing.drafts[target.id].text.isEmpty)
    }

    @Test func commentGoesToTheItemThatIsShown() async throws {
        _ = await wait(width: 160, height: 40)
        await press(.down, .character("c"), width: 160, height: 40)
        let target = try #require(session.target)
        // Meanwhile the list begins with another item.
        session.refreshes += 1
        session.filter.state = .closed
        screen.changed()
        _ = await wait(width: 160, height: 40)
        #expect(session.target == target)
        screen.receive(.paste("still here"))
        await press(.control("s"), width: 160, height: 40)
        #expect(await wait(width: 160, height: 40).contains { $0.contains("still here") })
        #expect(session.target == target)
    }

    /// Keys that come together act on what each of them left, not on the last frame.
    @Test func reactionIsNeverForAnItemThatIsNotShown() async throws {
        _ = await wait(width: 160, height: 40)
        let before = try #require(session.block)
        func reactions() -> [Bool]? {
            session.environment.read(before.reference)?.asReactable?.reactionGroups?.map(\.viewerHasReacted)
        }
        let shown = try #require(reactions())
        for key in ["j", "+", "1"] as [Character] { screen.receive(.key(.character(key))) }
        _ = await wait(width: 160, height: 40)
        #expect(reactions() == shown)
        #expect(session.block?.id == session.target?.id && session.block != before)
    }

    @Test func windowsGoBackToWhereTheyWereOpened() async throws {
        _ = await wait()
        for window in ["?", "c", "f", "a"] as [Character] {
            await press(.character(window), .escape)
            #expect(session.focus == .list)
        }
        await press(.enter)
        _ = await wait()
        for window in ["?", "c", "f", "a", "+"] as [Character] {
            await press(.character(window), .escape)
            #expect(session.focus == .item)
        }
        await press(.character("2"))
        #expect(session.focus == .list)
    }

    @Test(arguments: [20, 40, 80])
    func whatIsTypedIsSeenBesideFilters(width: Int) async throws {
        session.filter.label = "good first issue"
        session.filter.author = "somebody-with-a-name"
        _ = await wait(width: width)
        await press(.character("/"), .character("t"), .character("m"), .character("u"), width: width)
        #expect(await frame(width)[0].contains("/ tmu"))
    }

    @Test func mergedPullRequestIsNotSentForClosing() async throws {
        _ = await wait()
        await press(.character("2"), .character("s"))
        _ = await wait()
        for _ in 0..<50 {
            let item = session.target.flatMap { session.environment.read($0.reference) }
            if item?.asPullRequest?.pullState == .merged { break }
            await press(.down)
        }
        let requests = session.rate.state.requests
        await press(.character("x"))
        #expect(await frame().contains { $0.contains("is merged") })
        #expect(session.rate.state.requests == requests)
    }

    @Test func reactionIsCountedAtOnce() async throws {
        _ = await wait()
        await press(.enter)
        _ = await wait()
        let block = try #require(session.block)
        func hearts() -> Int? {
            let groups = session.environment.read(block.reference)?.asReactable?.reactionGroups
            return groups?.first { $0.content == .heart }?.reactors.totalCount
        }
        let before = try #require(hearts())
        await press(.character("+"), .character("6"))
        #expect(hearts() == before + 1)
        _ = await wait()
        #expect(hearts() == before + 1)
        await press(.character("+"), .character("6"))
        _ = await wait()
        #expect(hearts() == before)
    }

    @Test func labelFilterNarrowsTheList() async throws {
        _ = await wait()
        await press(.character("f"))
        _ = await wait()
        await press(.down, .enter)
        let lines = await wait()
        #expect(lines[0].contains("label:bug"))
        #expect(
            session.environment.read(try #require(session.target).reference)?.asLabelable?.labels?.nodes?
                .contains { $0?.name == "bug" } == true)
        await press(.character("0"))
        #expect(!(await wait()[0].contains("label:")))
    }

    @Test func outageIsToldAndEndsWithoutAKey() async throws {
        let program = try ProgramTests(faults: "latency=100,outage=20/10")
        _ = await program.wait(11)
        await program.press(.character("2"))
        #expect(await program.wait().contains { $0.contains("OFFLINE") })
        let lines = await program.wait(15)
        #expect(!lines.contains { $0.contains("OFFLINE") })
        #expect(lines.contains { $0.contains("Pull requests") })
        #expect(!program.rows(lines).isEmpty)
    }

    @Test func linkIsCopiedThroughTheTerminal() async throws {
        _ = await wait()
        await press(.character("y"))
        let url = try #require(selected?.url)
        #expect(screen.takeSequences() == "\u{1B}]52;c;\(Data(url.utf8).base64EncodedString())\u{07}")
    }

    @Test func credentialsThatAreRefusedAreTold() async throws {
        let network = MockNetwork()
        let session = Session(network: network, repository: ("a", "b"), clock: clock, now: { Date() })
        let screen = Screen(session.environment, clock: clock) { App(in: $0, session) }
        _ = screen.text(width: 80, height: 24)
        try await network.nextRequest().fail(RelayError.httpStatus(401, body: "{\"message\": \"Bad credentials\"}"))
        await settle(session.environment)
        #expect(screen.text(width: 80, height: 24).contains("does not accept the token"))
        #expect(session.connectivity.status.outage == nil && network.requests.count == 1)
    }

    /// The frames of a whole visit are those in `Frames`. `UPDATE_SNAPSHOTS=1` records them and ends red.
    @Test(arguments: [(80, 24), (40, 10), (160, 40), (200, 60)])
    func framesAreThoseRecorded(width: Int, height: Int) async throws {
        let program = try ProgramTests(faults: "latency=100,comments=1,outage=60/20")
        func record(_ title: String, _ keys: Key..., seconds: Double = 1) async throws -> String {
            for key in keys {
                program.screen.receive(.key(key))
                _ = await program.frame(width, height)
            }
            let lines = await program.wait(seconds, width: width, height: height)
            return "=== \(title)\n" + lines.map { $0 + "\n" }.joined()
        }
        var text = try await record("list")
        text += try await record("search", .character("/"), .character("u"), .character("n"), .character("d"))
        text += try await record("search is kept", .enter)
        text += try await record("label", .character("0"), .character("f"))
        text += try await record("filtered", .down, .enter)
        text += try await record("pull requests", .character("0"), .character("2"), .character("s"))
        text += try await record("item", .enter)
        text += try await record("reactions", .character("+"))
        text += try await record("reacted", .character("6"))
        text += try await record("comment", .character("c"), .character("h"), .character("m"))
        text += try await record("failed", .control("s"))
        text += try await record("keys", .escape, .character("?"))
        _ = try await record("later", .escape, .escape, seconds: 32)
        text += try await record("offline", .character("a"), .down, .enter, seconds: 2)
        // Of what is fetched again then, some share a request if their tasks meet.
        text += try await record("back", seconds: 30).replacing(/\d+( requests|\/5000)/) { "?\($0.output.1)" }
        try Snapshot(text).expect(file: "Frames/\(width)x\(height).txt")
    }

    @Test(arguments: [(40, 10), (80, 24), (200, 60), (1, 1), (20, 3)])
    func everySizeIsDrawn(width: Int, height: Int) async throws {
        _ = await wait(width: width, height: height)
        for key: Key in [.enter, .character("c"), .escape, .character("?"), .escape, .character("/"), .escape] {
            await press(key, width: width, height: height)
            let lines = await wait(0.3, width: width, height: height)
            #expect(lines.count == height)
        }
    }
}
