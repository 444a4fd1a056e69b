import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a terminal tells its program.
public enum TerminalEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The window has a new size.
    case resize(Size)
}

/// Why a terminal could not be used.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The descriptor is no terminal, so there are no keys to read.
    case notATerminal(descriptor: Int32)
    /// The system refused a change of the terminal's mode.
    case modeRefused(errno: Int32)

    /// What happened and what to do, for a person.
    public var description: String {
        switch self {
        case .notATerminal(let descriptor):
            "file descriptor \(descriptor) is no terminal; run the program in a terminal window"
        case .modeRefused(let errno):
            "the terminal refused its mode: \(String(cString: strerror(errno)))"
        }
    }
}

/// A terminal taken over by a full-screen program: raw keys, alternate screen, no cursor.
///
/// ``open()`` takes it over, ``close()`` gives it back as it was. It is also given back when the process exits, and
/// when a signal ends it: INT, TERM, HUP, QUIT and the signals of a crash. Only KILL leaves it as it is. One thread,
/// started by
/// ``open()`` and ended by ``close()``, waits for keys and for changes of the window. A terminal is opened once; to
/// take it over again, make another one. The writing end of the pipe that stops the thread is guarded by its own lock,
/// all else is constant.
public final class Terminal: Sendable {
    /// Keys and changes of size in order; ends when the terminal is closed or hangs up. For one reader.
    public let events: AsyncStream<TerminalEvent>

    private let input: Int32
    private let output: Int32
    private let continuation: AsyncStream<TerminalEvent>.Continuation
    /// The pipe that ``close()`` ends so that the reading thread wakes up; nil while the terminal is closed.
    private let wakeUp = Mutex<Int32?>(nil)

    /// Names the descriptors; nothing is changed until ``open()``.
    public init(input: Int32 = 0, output: Int32 = 1) {
        self.input = input
        self.output = output
        (events, continuation) = AsyncStream.makeStream()
    }

    deinit {
        close()
    }

    /// True if the descriptor belongs to a terminal.
    public static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// The size of the window now; 80x24 where the system does not know one.
    public var size: Size {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(width: 80, height: 24)
        }
        return Size(width: Int(window.ws_col), height: Int(window.ws_row))
    }

    /// Takes the terminal over; does nothing when that is done already.
    public func open() throws(TerminalError) {
        guard Self.isTerminal(input) else { throw .notATerminal(descriptor: input) }
        guard Self.isTerminal(output) else { throw .notATerminal(descriptor: output) }
        let isFirst = wakeUp.withLock { $0 == nil }
        guard isFirst else { return }
        var saved = termios()
        guard tcgetattr(input, &saved) == 0 else { throw .modeRefused(errno: errno) }
        var raw = saved
        cfmakeraw(&raw)
        guard tcsetattr(input, TCSANOW, &raw) == 0 else { throw .modeRefused(errno: errno) }
        let resizes = TerminalRestoration.arm(input: input, output: output, mode: saved)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            TerminalRestoration.restore()
            throw .modeRefused(errno: errno)
        }
        wakeUp.withLock { $0 = ends[1] }
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
        let reader = TerminalReader(input: input, stop: ends[0], resizes: resizes)
        Thread.detachNewThread { [continuation, weak self] in
            reader.run { event in
                switch event {
                case .key(let key): continuation.yield(.key(key))
                case .windowChanged:
                    if let size = self?.size { continuation.yield(.resize(size)) }
                }
            }
            continuation.finish()
        }
    }

    /// Gives the terminal back; does nothing when it is not taken over.
    public func close() {
        let end = wakeUp.withLock { end -> Int32? in
            defer { end = nil }
            return end
        }
        guard let end else { return }
        TerminalRestoration.restore()
        _ = systemClose(end)
    }

    /// Writes text to the terminal, all of it unless the other side is gone.
    public func write(_ text: String) {
        DescriptorOutput.write(text, to: output)
    }
}

/// The system's `close`, which the method of the same name hides.
private func systemClose(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
        Darwin.close(descriptor)
    #else
        Glibc.close(descriptor)
    #endif
}
