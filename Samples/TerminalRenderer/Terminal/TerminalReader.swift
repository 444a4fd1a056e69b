#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The loop of the reading thread: waits for keys, for signals, and for its end.
struct TerminalReader: Sendable {
    enum Event {
        case input(InputEvent)
        case windowChanged
        case stop
        case continued

        /// The event of a signal whose number came through the pipe.
        init?(signal: UInt8) {
            switch Int32(signal) {
            case SIGWINCH: self = .windowChanged
            case SIGTSTP: self = .stop
            case SIGCONT: self = .continued
            default: return nil
            }
        }
    }

    /// The time that a single escape byte waits for the rest of a sequence.
    private static let escapeMilliseconds: Int32 = 40

    /// The time after which a process in the background looks whether it is in the foreground.
    private static let backgroundMilliseconds: Int32 = 100

    let input: Int32
    /// The reading end of a pipe; closing the other end stops the loop.
    let stop: Int32
    /// The reading end of a pipe that gets the number of each signal.
    let signals: Int32

    /// Runs until the terminal hangs up or the other end of `stop` is closed; then closes its end of this pipe.
    func run(_ handle: (Event) -> Void) {
        defer { _ = close(stop) }
        var decoder = KeyDecoder()
        while true {
            // In the background, what is typed is for the shell.
            let isInForeground = Terminal.isInForeground(input)
            var sources = [
                pollfd(fd: isInForeground ? input : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            ]
            let patience = isInForeground ? -1 : Self.backgroundMilliseconds
            let count = poll(&sources, nfds_t(sources.count), decoder.isPending ? Self.escapeMilliseconds : patience)
            if count < 0 {
                guard errno == EINTR else { return }
                continue
            }
            if sources[1].revents != 0 { return }
            if count == 0 {
                for event in decoder.flush() { handle(.input(event)) }
                continue
            }
            if sources[2].revents != 0 {
                // Several changes of the window's size become one event.
                var last: UInt8?
                for signal in Self.read(signals) where signal != last || Int32(signal) != SIGWINCH {
                    if let event = Event(signal: signal) { handle(event) }
                    last = signal
                }
            }
            guard sources[0].revents != 0 else { continue }
            let bytes = Self.read(input)
            guard !bytes.isEmpty else { return }
            for event in decoder.decode(bytes) { handle(.input(event)) }
        }
    }

    /// Reads the available bytes; returns none if the other side has closed the terminal.
    private static func read(_ descriptor: Int32) -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = systemRead(descriptor, &buffer)
            if count < 0, errno == EINTR { continue }
            return buffer.prefix(max(0, count))
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    #if canImport(Darwin)
        Darwin.read(descriptor, &buffer, buffer.count)
    #else
        Glibc.read(descriptor, &buffer, buffer.count)
    #endif
}
