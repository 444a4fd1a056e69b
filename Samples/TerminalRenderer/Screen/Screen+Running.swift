extension Screen {
    private enum Event {
        case terminal(TerminalEvent)
        case hangup
        case redraw
    }

    /// The time after which a frame that moves is drawn anew in any case.
    private static let longestLifetime = Duration.seconds(60)

    /// Waits for a time on the clock of the screen, at most a day. Throws `CancellationError` if the task is cancelled.
    public func pause(for time: Duration) async throws {
        try await clock.sleep(for: min(max(time, .zero), .seconds(86_400)))
    }

    /// Shows the screen in a terminal until the program quits or the terminal closes, and restores the terminal.
    ///
    /// Control-C quits and control-Z stops the process, unless an element takes the key.
    public func run(in terminal: Terminal) async throws {
        let (events, continuation) = AsyncStream<Event>.makeStream()
        try terminal.open()
        defer { terminal.close() }
        let input = Task {
            for await event in terminal.events { continuation.yield(.terminal(event)) }
            continuation.yield(.hangup)
        }
        let redraws = Task { [displayRequests] in
            for await _ in displayRequests { continuation.yield(.redraw) }
        }
        defer {
            input.cancel()
            redraws.cancel()
        }
        var renderer = Renderer(colorMode: colorMode)
        var isStopped = false
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        needsDisplay()
        for await event in events {
            switch event {
            case .terminal(.input(let event)): take(event)
            case .terminal(.resize): needsDisplay()
            case .terminal(.stop):
                isStopped = true
                terminal.stop()
            case .terminal(.continued):
                isStopped = false
                terminal.takeAgain()
                renderer.invalidate()
                needsDisplay()
            case .hangup: return
            case .redraw:
                guard !isStopped else { break }
                terminal.write(takeSequences() + renderer.render(canvas(size: terminal.size)))
                alarm?.cancel()
                guard let lifetime else { break }
                alarm = Task {
                    try await Task.sleep(for: min(lifetime, Self.longestLifetime))
                    needsDisplay()
                }
            }
            if isOver { return }
        }
    }

    private func take(_ event: InputEvent) {
        guard !receive(event), case .key(let key) = event else { return }
        switch key {
        case .control("c"): quit()
        case .control("z"): Terminal.suspend()
        default: break
        }
    }
}
