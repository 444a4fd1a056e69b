import BatonTesting
import TerminalRenderer
import Testing

@testable import starwars

/// What a person sees after some keys.
@MainActor @Suite
struct AppTests {
    private let clock = ManualClock()
    private let app: App

    init() throws { app = try App.make(url: nil, clock: clock) }

    /// Plays a script on the application, after it has loaded its first film, and returns the last frame.
    private func frame(after script: String) async throws -> String {
        var player = FramePlayer(app: app, clock: clock)
        var last = ""
        let text = "wait 300\nwait 300\n" + script + "\nframe"
        await player.play(try KeyScript(parsing: text)) { last = $0 }
        return last
    }

    @Test
    func everyLetterThatIsTypedInAReviewIsInIt() async throws {
        #expect(try await frame(after: "keys w\ntype I give 2 thumbs").contains("I give 2 thumbs"))
    }

    @Test
    func letterGoesFromTheStarsToTheWords() async throws {
        let form = try await frame(after: "keys w tab 2\ntype Nice 3")
        #expect(form.contains("\u{2605}\u{2605}\u{2606}\u{2606}\u{2606}") && form.contains("Nice 3"))
    }

    @Test
    func reviewThatCouldNotBeSentIsInTheFormAgain() async throws {
        let failed = try await frame(after: "keys e w tab 2\ntype Mine\nkeys control-s\nwait 300")
        #expect(failed.contains("Not sent, w has your review again: the cable is out"))
        #expect(!failed.contains("Mine"))
        let form = try await frame(after: "keys w")
        #expect(form.contains("\u{2605}\u{2605}\u{2606}\u{2606}\u{2606}") && form.contains("Mine"))
    }

    @Test
    func reviewStaysWhenItsFormIsLeft() async throws {
        #expect(try await frame(after: "keys w\ntype Mine\nkeys escape w").contains("Mine"))
        #expect(try await !frame(after: "keys escape down w").contains("Mine"))
    }

    @Test
    func sentReviewIsNotInTheFormAgain() async throws {
        let form = try await frame(after: "keys w\ntype Mine\nkeys control-s\nwait 300\nkeys down w")
        #expect(form.contains("What did you think of it?"))
    }

    @Test
    func windowHasNoKeysOfThePanesBelow() async throws {
        let form = try await frame(after: "keys w")
        #expect(form.contains("ctrl-s send  esc leave") && !form.contains("j/k move") && !form.contains("q quit"))
    }

    @Test
    func cableThatIsOutIsSeenBeforeAnyRequest() async throws {
        let out = try await frame(after: "keys e")
        #expect(out.contains("unplugged, 8 s") && out.contains("The cable is out") && out.contains("online") == false)
        #expect(try await frame(after: "keys e").contains("The cable is in again."))
    }

    @Test
    func failureIsToldForSomeSecondsOnly() async throws {
        #expect(try await frame(after: "keys e s\nwait 300").contains("The favourite was taken back: the cable is out"))
        #expect(try await !frame(after: "wait 8000\nwait 300").contains("was taken back"))
    }

    @Test
    func failureIsGoneWithTheNextAttempt() async throws {
        #expect(try await !frame(after: "keys e s\nwait 300\nkeys e s").contains("was taken back"))
    }

    @Test
    func filmIsMarkedAndReviewedOnItsPageToo() async throws {
        let page = try await frame(after: "keys tab s")
        #expect(page.contains("\u{2605} favourite") && page.contains("s star  w review"))
        #expect(try await frame(after: "size 40 10\nkeys w").contains("Review of The Phantom Menace"))
    }

    @Test
    func searchGoesBackToTheListInWhichItBegan() async throws {
        let back = "keys / escape"
        #expect(try await frame(after: "keys 2\nwait 300\n" + back).contains("\u{256D}\u{2500} Characters"))
        #expect(try await frame(after: "keys 1\n" + back).contains("\u{256D}\u{2500} Films"))
    }

    @Test
    func searchWithoutResultSaysSo() async throws {
        #expect(try await frame(after: "keys /\ntype zzz\nwait 300").contains("Nothing matches 'zzz'."))
    }

    /// The row changes with an answer and not with a key. Until its film is here, the one of the list before is faint.
    @Test
    func pageFollowsTheRowOfAnotherTrilogy() async throws {
        func isDim() -> Bool? {
            app.screen.canvas(size: Size(width: 80, height: 24)).cell(column: 39, row: 2)?.style.isDim
        }
        _ = try await frame(after: "keys f f\nwait 300")
        #expect(isDim() == true)
        #expect(try await frame(after: "").contains("\u{256D}\u{2500} A New Hope"))
        #expect(isDim() == false)
    }

    @Test
    func printedFrameIsLoaded() async throws {
        var player = FramePlayer(app: app, clock: clock)
        let frame = await player.loadedFrame()
        #expect(frame.contains("Two Jedi") && frame.contains("online") && !frame.contains("Loading"))
    }
}
