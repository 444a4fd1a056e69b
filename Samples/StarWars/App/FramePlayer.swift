import Baton
import BatonTesting
import TerminalRenderer

/// Plays a script of keys on a manual clock and returns the frames as text, the same on every run.
///
/// Time passes only in `wait`. A frame is drawn when every request in flight waits for the clock and every observer was
/// notified.
@MainActor
struct FramePlayer {
    let app: App
    let clock: ManualClock
    private var size = Size(width: 80, height: 24)

    init(app: App, clock: ManualClock) {
        self.app = app
        self.clock = clock
    }

    /// Plays the script, up to its end or to the key that quits the application.
    mutating func play(_ script: KeyScript, print: (String) -> Void) async {
        _ = await settledCanvas()
        for step in script.steps {
            switch step {
            case .size(let size):
                self.size = size
            case .input(let events):
                for event in events {
                    app.screen.receive(event)
                    await app.log.waitForMutations()
                    _ = await settledCanvas()
                }
            case .wait(let duration):
                await clock.advance(by: duration, settling: app.environment)
                _ = await settledCanvas()
            case .frame(let title):
                print(Self.text(title, await settledCanvas()))
            }
            if app.screen.isOver { return }
        }
    }

    /// The frame after every request is answered: time passes until the screen does not change any more, at most ten
    /// seconds.
    mutating func loadedFrame() async -> String {
        var canvas = await settledCanvas()
        for _ in 0..<10 {
            await clock.advance(by: .seconds(1), settling: app.environment)
            let next = await settledCanvas()
            if next == canvas { break }
            canvas = next
        }
        return Self.text("", canvas)
    }

    /// Draws until drawing starts no further request.
    ///
    /// All changes so far are delivered first. A frame that is drawn before a delivery would be counted as not
    /// notified.
    private func settledCanvas() async -> Canvas {
        await settle(app.environment)
        // The application notices the end of a mutation a moment after the log.
        while app.commitsEnded < app.log.mutationsEnded { await Task.yield() }
        var canvas = app.screen.canvas(size: size)
        while true {
            await settle(app.environment)
            let next = app.screen.canvas(size: size)
            if next == canvas { return next }
            canvas = next
        }
    }

    private static func text(_ title: String, _ canvas: Canvas) -> String {
        let heading = title.isEmpty ? "" : "=== \(title), \(canvas.size.width)x\(canvas.size.height)\n"
        return heading + canvas.lines.map { $0 + "\n" }.joined()
    }
}
