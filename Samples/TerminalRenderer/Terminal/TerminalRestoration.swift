import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Restores the terminal when the process ends for any reason.
///
/// A signal handler is a C function without context, so that its data must be in a global: this one, guarded by its
/// mutex. The handler takes the lock only if it is free. It calls only functions that are safe in a handler (`write`,
/// `tcsetattr`, `sigaction`, `raise`). A process has one controlling terminal, so that one place is enough.
enum TerminalRestoration {
    private struct Saved {
        var input: Int32
        var output: Int32
        var mode: termios
        /// The sequence that leaves full-screen mode. A copy is kept because a handler must not initialize the lazy
        /// global.
        var leaving: StaticString
    }

    private struct State {
        var saved: Saved?
        /// Both ends of the pipe for the numbers of signals; made once.
        var resizePipe: [Int32] = []
        /// The signals that have a handler of this type.
        var handled: Set<Int32> = []
    }

    private static let state = Mutex(State())

    /// The writing end for the signal handler. It lies outside of the lock, so that no signal is lost while the lock is
    /// taken.
    private static let resizeOutput = Atomic<Int32>(-1)

    /// Ends a frame that was cut off, switches off mouse and brackets, removes every style, wraps lines again, shows
    /// the cursor, and leaves the alternate screen. The text is a constant, so that the handler allocates nothing.
    private static let leaving: StaticString =
        """
        \u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l
        """

    /// The signals that end a process by default and are no crash, but for KILL, which nothing can catch. One that the
    /// process ignores or has a handler for does not end it, and is left alone.
    private static let endingSignals = [
        SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ,
        SIGSYS,
    ]
    /// The signals that do not end the process: the window has changed, or the process must stop or goes on.
    private static let notedSignals = [SIGWINCH, SIGTSTP, SIGCONT]
    /// The signals for which the runtime of Swift may have a handler that prints where the process was.
    private static let crashSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Keeps the data for restoring the terminal, and installs the handlers that restore it.
    ///
    /// - Returns: the descriptor that gets the number of each signal of `notedSignals`, as a byte.
    static func arm(input: Int32, output: Int32, mode: termios) -> Int32 {
        let (resizes, isFirst) = state.withLock { state in
            let isFirst = state.resizePipe.isEmpty
            if isFirst { state.resizePipe = nonblockingPipe() }
            state.saved = Saved(input: input, output: output, mode: mode, leaving: leaving)
            return (state.resizePipe, isFirst)
        }
        resizeOutput.store(resizes.last ?? -1, ordering: .releasing)
        if isFirst { atexit { TerminalRestoration.restore() } }
        let free = endingSignals.filter(hasDefaultAction) + crashSignals
        for signal in free {
            install(signal, flags: Int32(bitPattern: UInt32(SA_RESETHAND))) { number in
                TerminalRestoration.restoreInHandler()
                // The default action is in place again, so that the process ends with the status of the signal.
                raise(number)
            }
        }
        for signal in notedSignals {
            install(signal, flags: Int32(SA_RESTART)) { TerminalRestoration.note($0) }
        }
        state.withLock { $0.handled.formUnion(free + notedSignals) }
        return resizes.first ?? -1
    }

    /// Restores the terminal, once. The signals that had a handler have their default actions afterwards.
    static func restore() {
        let (saved, handled) = state.withLock { state -> (Saved?, Set<Int32>) in
            defer { (state.saved, state.handled) = (nil, []) }
            return (state.saved, state.handled)
        }
        guard let saved else { return }
        leave(saved)
        for number in handled { signal(number, SIG_DFL) }
    }

    /// Restores the terminal before the process stops; returns false if it is not open.
    static func giveBackForAWhile() -> Bool {
        guard let saved = state.withLock({ $0.saved }) else { return false }
        leave(saved)
        return true
    }

    /// Makes keys raw again after the process was stopped; returns false if the terminal is not open.
    static func takeAgain() -> Bool {
        guard let saved = state.withLock({ $0.saved }) else { return false }
        var raw = saved.mode
        cfmakeraw(&raw)
        return tcsetattr(saved.input, TCSANOW, &raw) == 0
    }

    private static func restoreInHandler() {
        let saved = state.withLockIfAvailable { $0.saved } ?? nil
        if let saved { leave(saved) }
    }

    private static func leave(_ saved: Saved) {
        var mode = saved.mode
        // The number of written bytes does not matter, because the process is ending.
        _ = write(saved.output, saved.leaving.utf8Start, saved.leaving.utf8CodeUnitCount)
        _ = tcsetattr(saved.input, TCSANOW, &mode)
    }

    private static func note(_ signal: Int32) {
        let output = resizeOutput.load(ordering: .acquiring)
        guard output >= 0 else { return }
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(output, &byte, 1)
        errno = saved
    }

    private static func hasDefaultAction(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // The default is the null pointer.
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == 0
    }

    private static func install(_ signal: Int32, flags: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        action.sa_flags = flags
        sigaction(signal, &action, nil)
    }

    /// Makes a pipe in which writing from a handler never waits, and reading takes only the available bytes.
    private static func nonblockingPipe() -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return [] }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return ends
    }
}
