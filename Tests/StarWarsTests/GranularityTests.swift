import Baton
import BatonTesting
import TerminalRenderer
import Testing

@testable import starwars

/// The events of the environment's log about each publish. Exactly the components with changed data are notified and
/// drawn again.
@MainActor @Suite
struct GranularityTests {
    /// Plays keys on a new application and returns the last publish. Each key except the last one is followed by an
    /// answer of the service.
    private static func lastPublish(after keys: [Key], hasResponse: Bool = true) async throws -> EventLog.Publish? {
        let clock = ManualClock()
        let app = try App.make(url: nil, clock: clock)
        var player = FramePlayer(app: app, clock: clock)
        var steps = keys.flatMap { [KeyScript.Step.input([.key($0)]), .wait(.milliseconds(300))] }
        if !hasResponse { steps.removeLast() }
        await player.play(KeyScript(steps: [.wait(.milliseconds(300)), .wait(.milliseconds(300))] + steps)) { _ in }
        return app.log.publish
    }

    @Test
    func anAnswerTellsThePageThatWaited() async throws {
        let publish = try #require(await Self.lastPublish(after: []))
        #expect(publish.source == "FilmDetailQuery")
        #expect(publish.componentsNotified == 0)
        #expect(publish.componentsTold == 1)
        #expect(publish.componentsRendered == 1)
    }

    @Test(arguments: [[Key.down, .down, .character("s")], [.character("s"), .down, .character("s"), .character("s")]])
    func favouriteChangesOneRecordItsRowAndItsHeaderAtOnce(keys: [Key]) async throws {
        let publish = try #require(await Self.lastPublish(after: keys, hasResponse: false))
        #expect(publish.source == "optimistic FilmFavoriteMutation")
        #expect(publish.recordsChanged == 1)
        #expect(publish.componentsTold == 2)
        #expect(publish.componentsRendered == 2)
    }

    /// On a narrow screen the page is not shown, so nothing of it is drawn.
    @Test
    func whatIsToldTwiceAndDrawnOnceIsCountedSo() async throws {
        let clock = ManualClock()
        let app = try App.make(url: nil, clock: clock)
        var player = FramePlayer(app: app, clock: clock)
        let script = KeyScript(steps: [.size(Size(width: 40, height: 10)), .wait(.milliseconds(300))])
        await player.play(script) { _ in }
        let list = try #require(app.log.publishes.first { $0.source == "FilmListQuery" })
        #expect(list.componentsTold == 2)
        #expect(list.componentsRendered == 1)
        #expect(app.log.publishes.map(\.number) == app.log.publishes.map(\.number).sorted(by: >))
    }

    @Test
    func theAnswerThatWasExpectedTellsNobody() async throws {
        let publish = try #require(await Self.lastPublish(after: [.character("s")]))
        #expect(publish.source == "FilmFavoriteMutation")
        #expect(publish.recordsChanged == 0)
        #expect(publish.componentsTold == 0)
    }

    @Test
    func refetchOfTheSameDataNotifiesNobody() async throws {
        let publish = try #require(await Self.lastPublish(after: [.character("r")]))
        #expect(publish.source == "FilmDetailQuery")
        #expect(publish.recordsChanged == 0)
        #expect(publish.componentsNotified == 0)
        #expect(publish.componentsRendered == 0)
    }

    @Test
    func invalidationNotifiesNobody() async throws {
        let publish = try #require(await Self.lastPublish(after: [.enter, .character("i")]))
        #expect(publish.source == "invalidation")
        #expect(publish.recordsChanged == 0)
        #expect(publish.componentsNotified == 0)
        #expect(publish.componentsRendered == 0)
    }
}
