import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An event that a terminal reports.
public enum TerminalEvent: Hashable, Sendable {
    /// A person did something: a key, a pasted text, the mouse.
    case input(InputEvent)
    /// The window has a new size.
    case resize(Size)
    /// The process was asked to stop for a while (TSTP): call ``Terminal/stop()``.
    case stop
    /// The process goes on after any signal has stopped it: call ``Terminal/takeAgain()``, and draw the whole frame.
    case continued
}

/// The reason why a terminal cannot be used.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The descriptor is not a terminal, so that keys cannot be read.
    case notATerminal(descriptor: Int32)
    /// The system refused a change of the terminal's mode.
    case modeRefused(errno: Int32)

    /// A description for a person, with advice.
    public var description: String {
        switch self {
        case .notATerminal(let descriptor):
            "file descriptor \(descriptor) is no terminal; run the program in a terminal window"
        case .modeRefused(let errno):
            "the terminal refused its mode: \(String(cString: strerror(errno)))"
        }
    }
}

/// A terminal in full-screen mode: raw keys, mouse, alternate screen, no cursor unless a frame has one.
///
/// ``open()`` changes the terminal, and ``close()`` restores it. The terminal is also restored when the process exits,
/// and when a signal ends the process: INT, TERM, HUP, QUIT, PIPE, ALRM, USR1, USR2, others of that kind, or those of a
/// crash. It is not restored after KILL. A signal that the process ignores, or has a handler for, is left alone.
///
/// A process may be stopped by TSTP or STOP, and continued by CONT. The events report this. The code that writes the
/// frames must answer with ``stop()`` and ``takeAgain()``, so that nothing is written in between. STOP cannot be
/// caught: the shell gets the terminal in full-screen mode, and in order again only when the process has gone on and
/// ended.
///
/// ``open()`` starts one thread that waits for keys and for changes of the window's size, and ``close()`` ends it. A
/// terminal is opened once; to open it again, make another instance. A lock guards the writing end of the pipe that
/// stops the thread; everything else is constant.
public final class Terminal: Sendable {
    /// Keys and changes of size in order, for one reader. The stream ends when the terminal is closed or hangs up.
    public let events: AsyncStream<TerminalEvent>

    private let input: Int32
    private let output: Int32
    private let continuation: AsyncStream<TerminalEvent>.Continuation
    /// The writing end of a pipe; ``close()`` closes it to wake up the reading thread. Nil while the terminal is
    /// closed.
    private let wakeUp = Mutex<Int32?>(nil)

    /// Makes a terminal for these descriptors; ``open()`` changes its mode.
    public init(input: Int32 = 0, output: Int32 = 1) {
        self.input = input
        self.output = output
        (events, continuation) = AsyncStream.makeStream()
    }

    deinit {
        close()
    }

    /// True if the descriptor is a terminal.
    public static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// True if a screen can be shown: both descriptors are a terminal, and `TERM` does not say that it is a dumb one.
    public static func showsScreens(input: Int32 = 0, output: Int32 = 1, environment: [String: String]) -> Bool {
        isTerminal(input) && isTerminal(output) && !["dumb", "unknown", ""].contains(environment["TERM"] ?? "none")
    }

    /// The current size of the window; 80x24 if the system does not know it.
    public var size: Size {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(width: 80, height: 24)
        }
        return Size(width: Int(window.ws_col), height: Int(window.ws_row))
    }

    /// Changes the terminal to full-screen mode; does nothing if it is open. A process in the background does not own
    /// the terminal: it stops until it is brought to the foreground.
    public func open() throws(TerminalError) {
        guard Self.isTerminal(input) else { throw .notATerminal(descriptor: input) }
        guard Self.isTerminal(output) else { throw .notATerminal(descriptor: output) }
        let isFirst = wakeUp.withLock { $0 == nil }
        guard isFirst else { return }
        Self.waitForForeground(input)
        var saved = termios()
        guard tcgetattr(input, &saved) == 0 else { throw .modeRefused(errno: errno) }
        var raw = saved
        cfmakeraw(&raw)
        guard tcsetattr(input, TCSANOW, &raw) == 0 else { throw .modeRefused(errno: errno) }
        let signals = TerminalRestoration.arm(input: input, output: output, mode: saved)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            TerminalRestoration.restore()
            throw .modeRefused(errno: errno)
        }
        wakeUp.withLock { $0 = ends[1] }
        write(Self.entering)
        let reader = TerminalReader(input: input, stop: ends[0], signals: signals)
        Thread.detachNewThread { [continuation, weak self] in
            reader.run { event in
                switch event {
                case .input(let input): continuation.yield(.input(input))
                case .windowChanged:
                    if let size = self?.size { continuation.yield(.resize(size)) }
                case .stop: continuation.yield(.stop)
                case .continued: continuation.yield(.continued)
                }
            }
            continuation.finish()
        }
    }

    /// Restores the terminal; does nothing if it is not open.
    public func close() {
        let end = wakeUp.withLock { end -> Int32? in
            defer { end = nil }
            return end
        }
        guard let end else { return }
        TerminalRestoration.restore()
        _ = systemClose(end)
    }

    /// Restores the terminal and stops the process until it is continued; does nothing if the terminal is not open. The
    /// event ``TerminalEvent/continued`` follows.
    public func stop() {
        // A signal for the process might reach another thread, and this one would go on for a while.
        if TerminalRestoration.giveBackForAWhile() { raise(SIGSTOP) }
    }

    /// False if the terminal belongs to another job.
    static func isInForeground(_ descriptor: Int32) -> Bool {
        let owner = tcgetpgrp(descriptor)
        return owner <= 0 || owner == getpgrp()
    }

    /// Stops the process while the terminal belongs to another job.
    ///
    /// The system itself stops a process in the background that waits for the terminal's output. So none that has just
    /// come to the foreground is stopped, as it would be between a look and a signal of its own. The signal is blocked
    /// in the threads of a pool.
    private static func waitForForeground(_ descriptor: Int32) {
        var (signal, before) = (sigset_t(), sigset_t())
        sigemptyset(&signal)
        sigaddset(&signal, SIGTTOU)
        pthread_sigmask(SIG_UNBLOCK, &signal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        while !isInForeground(descriptor) {
            // A process that ignores the signal, or whose shell is gone, is not stopped by the system.
            if tcdrain(descriptor) == 0 || errno == EIO, !isInForeground(descriptor) { raise(SIGSTOP) }
        }
    }

    /// Asks the processes of the job to stop, as a terminal does for control-Z when it is not in full-screen mode. The
    /// event ``TerminalEvent/stop`` follows.
    public static func suspend() { kill(0, SIGTSTP) }

    /// Changes the terminal to full-screen mode again, after the process was stopped; does nothing if it is not open.
    ///
    /// A process in the background does not own the terminal. It stops until it is brought to the foreground.
    public func takeAgain() {
        Self.waitForForeground(input)
        if TerminalRestoration.takeAgain() { write(Self.entering) }
    }

    /// Enters the alternate screen without a cursor and without wrapping, and clears it. Then asks for brackets around
    /// pasted texts, and for buttons and wheel of the mouse (1000) as decimal numbers (1006).
    private static let entering =
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h"

    /// Writes the whole text to the terminal, unless the terminal is closed by the other side.
    public func write(_ text: String) {
        DescriptorOutput.write(text, to: output)
    }
}

/// The system's `close`; the method of the same name hides it.
private func systemClose(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
        Darwin.close(descriptor)
    #else
        Glibc.close(descriptor)
    #endif
}
