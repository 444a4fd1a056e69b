import Synchronization
import TerminalRenderer

/// The application in a terminal: keys and changes in, frames out.
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

    /// Asks for a frame, from any thread; requests between two frames are one.
    var needsDisplay: @Sendable () -> Void {
        { [isRedrawPending, continuation] in
            if isRedrawPending.raise() { continuation.yield(.redraw) }
        }
    }

    /// Runs until the user quits or the terminal is gone, and gives the terminal back.
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
            case .terminal(.key(let key)): await app.press(key)
            case .terminal(.resize): needsDisplay()
            case .hangup: return
            case .redraw:
                isRedrawPending.lower()
                terminal.write(renderer.render(await app.canvas(size: terminal.size)))
                if await app.isBusy { turnSpinner() }
            }
            if await app.isOver { return }
        }
    }

    /// Draws again when the spinner has its next phase.
    private func turnSpinner() {
        Task { [needsDisplay] in
            try? await Task.sleep(for: Spinner.interval)
            needsDisplay()
        }
    }
}

/// A truth that several threads change.
private final class Flag: Sendable {
    private let isRaised = Atomic(false)

    /// False if it was raised already.
    func raise() -> Bool { !isRaised.exchange(true, ordering: .acquiringAndReleasing) }

    func lower() { isRaised.store(false, ordering: .releasing) }
}
