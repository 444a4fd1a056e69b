import Synchronization
import TerminalRenderer

/// The application in a terminal: reads keys and changes, and writes frames.
struct Session {
    private enum Event {
        case terminal(TerminalEvent)
        case hangup
        case redraw
    }

    private let terminal: Terminal
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let isRedrawPending = Flag()

    init(terminal: Terminal) {
        self.terminal = terminal
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Requests a frame, from any thread; requests between two frames are joined.
    var needsDisplay: @Sendable () -> Void {
        { [isRedrawPending, continuation] in
            if isRedrawPending.raise() { continuation.yield(.redraw) }
        }
    }

    /// Runs until the user quits or the terminal closes, and restores the terminal.
    func run(_ app: App, colorMode: ColorMode) async throws {
        try terminal.open()
        defer { terminal.close() }
        let keys = Task { [terminal, continuation] in
            for await event in terminal.events { continuation.yield(.terminal(event)) }
            continuation.yield(.hangup)
        }
        defer { keys.cancel() }
        var renderer = Renderer(colorMode: colorMode)
        needsDisplay()
        for await event in events {
            switch event {
            case .terminal(.input(.key(let key))): await app.press(key)
            case .terminal(.input): break
            case .terminal(.resize): needsDisplay()
            case .terminal(.stop): terminal.stop()
            case .terminal(.continued):
                terminal.takeAgain()
                renderer.invalidate()
                needsDisplay()
            case .hangup: return
            case .redraw:
                isRedrawPending.lower()
                terminal.write(renderer.render(await app.canvas(size: terminal.size)))
                if await app.isBusy { turnSpinner() }
            }
            if await app.isOver { return }
        }
    }

    /// Requests a frame at the spinner's next phase.
    private func turnSpinner() {
        Task { [needsDisplay] in
            try? await Task.sleep(for: Spinner.interval)
            needsDisplay()
        }
    }
}

/// A Boolean that several threads change.
private final class Flag: Sendable {
    private let isRaised = Atomic(false)

    /// Raises the flag; returns false if it was raised already.
    func raise() -> Bool { !isRaised.exchange(true, ordering: .acquiringAndReleasing) }

    func lower() { isRaised.store(false, ordering: .releasing) }
}
