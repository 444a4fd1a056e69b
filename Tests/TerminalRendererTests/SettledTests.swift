import Baton
import BatonTesting
import Foundation
import Testing

@testable import TerminalRenderer

/// What rests, and what a screen says to the terminal and to the person's browser.
@MainActor @Suite(.timeLimit(.minutes(20)))
struct SettledTests {
    private let clock = ManualClock()
    private let screen: Screen

    init() { screen = Screen(RelayEnvironment(network: MockNetwork(), clock: clock), clock: clock) }

    private func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    @Test
    func valueIsFollowedOnceItHasRested() async {
        let settled = Settled("", in: screen)
        settled.follow("a", after: .seconds(1))
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(900))
        settled.follow("ab", after: .seconds(1))
        // The first pause has ended, and the second one begins.
        await until { clock.nextDeadline?.offset == .milliseconds(1900) }
        clock.advance(by: .milliseconds(900))
        settled.follow("ab", after: .seconds(1))
        #expect(settled.value == "")
        clock.advance(by: .milliseconds(100))
        await until { settled.value == "ab" }
    }

    @Test
    func withoutATimeAValueIsFollowedAtOnce() async {
        let settled = Settled(0, in: screen)
        settled.follow(1)
        #expect(settled.value == 1)
        settled.follow(2, after: .seconds(1))
        await clock.waitForSleepers()
        settled.follow(2)
        #expect(settled.value == 2)
        await until { clock.sleepers == 0 }
    }

    @Test
    func endOfAValueEndsItsPause() async {
        var settled: Settled<Int>? = Settled(0, in: screen)
        settled?.follow(1, after: .seconds(1))
        await clock.waitForSleepers()
        settled = nil
        await until { clock.sleepers == 0 }
        #expect(settled == nil)
    }

    @Test
    func noticeIsShownForItsTime() {
        let notice = Notice(in: screen)
        screen.show(Noticed(notice))
        func line() -> String { screen.canvas(size: Size(width: 6, height: 1)).lines[0] }
        #expect(line() == "none")
        notice.show(Text("first"), for: .seconds(4))
        #expect(line() == "first")
        clock.advance(by: .seconds(3))
        notice.show(Text("second"), for: .seconds(4))
        #expect(line() == "second")
        clock.advance(by: .milliseconds(3900))
        #expect(line() == "second")
        clock.advance(by: .milliseconds(100))
        #expect(line() == "none")
        notice.show(Text("third"), for: .seconds(4))
        notice.hide()
        #expect(line() == "none")
    }

    @Test
    func changesOfASequenceAskForFrames() async {
        let (changes, continuation) = AsyncStream<Int>.makeStream()
        var seen: [Int] = []
        screen.redraw(for: changes) { seen.append($0) }
        for number in 1...3 { continuation.yield(number) }
        await until { seen == [1, 2, 3] }
        var requests = screen.displayRequests.makeAsyncIterator()
        #expect(await requests.next() != nil)
    }

    @Test
    func copiedTextGoesToTheClipboardOfTheTerminal() {
        screen.copy("a \u{1F680}")
        screen.copy("b")
        #expect(screen.takeSequences() == "\u{1B}]52;c;YSDwn5qA\u{07}\u{1B}]52;c;Yg==\u{07}")
        #expect(screen.takeSequences() == "")
    }

    @Test
    func pageIsOpenedByTheProgramThatBrowserNames() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (program, opened) = (folder.appending(path: "browser"), folder.appending(path: "opened"))
        try Data("#!/bin/sh\nprintf '%s' \"$1\" > '\(opened.path)'\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try await Browser.open("https://example.org/?a=b c", environment: ["BROWSER": program.path])
        #expect(try String(contentsOf: opened, encoding: .utf8) == "https://example.org/?a=b c")
        try Data("#!/bin/sh\nexit 3\n".utf8).write(to: program)
        await #expect(throws: Browser.Failure.failed(command: program.path, status: 3)) {
            try await Browser.open("https://example.org", environment: ["BROWSER": program.path])
        }
        let absent = folder.appending(path: "absent").path
        await #expect(throws: Browser.Failure.failed(command: absent, status: nil)) {
            try await Browser.open("https://example.org", environment: ["BROWSER": absent])
        }
    }

    @Test(arguments: ["", "--help", "file:///etc/passwd", "javascript:alert(1)", "example.org"])
    func nothingButAWebPageIsOpened(url: String) async {
        await #expect(throws: Browser.Failure.notAWebPage(url)) {
            try await Browser.open(url, environment: ["BROWSER": "/bin/false"])
        }
    }
}

/// A component that shows a notice.
private final class Noticed: Component {
    private let notice: Notice

    init(_ notice: Notice) { self.notice = notice }

    var content: any Element { Live { [notice] frame in notice.text(in: frame) ?? Text("none") } }
}
