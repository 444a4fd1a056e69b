import TerminalRenderer
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Drives `Terminal` on a pseudo-terminal. The test holds the other end, like a terminal window.
@Suite(.serialized)
struct TerminalTests {
    @Test
    func takesTheTerminalOverAndGivesItBack() async throws {
        let window = try PseudoTerminal(columns: 33, rows: 7)
        let before = try window.mode()
        let terminal = Terminal(input: window.inner, output: window.inner)
        #expect(terminal.size == Size(width: 33, height: 7))
        try terminal.open()
        try terminal.open()
        #expect(try window.mode().c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
        window.type("q\u{1B}[A")
        var events = terminal.events.makeAsyncIterator()
        #expect(await events.next() == .input(.key(.character("q"))))
        #expect(await events.next() == .input(.key(.up)))
        window.type("\u{1B}")
        #expect(await events.next() == .input(.key(.escape)))
        window.resize(columns: 10, rows: 3)
        kill(getpid(), SIGWINCH)
        #expect(await events.next() == .resize(Size(width: 10, height: 3)))
        terminal.close()
        terminal.close()
        #expect(await events.next() == nil)
        let shown = window.output()
        let taken = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h"
        let given = "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        #expect(shown == taken + given)
        let after = try window.mode()
        #expect(after.c_lflag == before.c_lflag)
        #expect(after.c_iflag == before.c_iflag)
        #expect(after.c_oflag == before.c_oflag)
    }

    @Test
    func pipesAreRefused() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(!Terminal.isTerminal(ends[0]))
        let terminal = Terminal(input: ends[0], output: ends[1])
        #expect(terminal.size == Size(width: 80, height: 24))
        #expect(throws: TerminalError.notATerminal(descriptor: ends[0])) { try terminal.open() }
        #expect(DescriptorOutput.write("x", to: ends[1]))
    }
}

/// Both ends of a pseudo-terminal.
private final class PseudoTerminal {
    struct Failure: Error {}

    let inner: Int32
    private let outer: Int32

    init(columns: UInt16, rows: UInt16) throws {
        outer = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard outer >= 0, let name = Self.innerName(of: outer) else { throw Failure() }
        inner = open(name, O_RDWR | O_NOCTTY)
        guard inner >= 0 else { throw Failure() }
        resize(columns: columns, rows: rows)
    }

    private static func innerName(of outer: Int32) -> String? {
        #if canImport(Darwin)
            guard grantpt(outer) == 0, unlockpt(outer) == 0 else { return nil }
            return ptsname(outer).map { String(cString: $0) }
        #else
            // The work of `unlockpt` and `ptsname`, which Glibc's module hides.
            let unlock: UInt = 0x4004_5431
            let number: UInt = 0x8004_5430
            var isLocked: Int32 = 0
            var index: UInt32 = 0
            guard ioctl(outer, unlock, &isLocked) == 0, ioctl(outer, number, &index) == 0 else { return nil }
            return "/dev/pts/\(index)"
        #endif
    }

    deinit {
        close(inner)
        close(outer)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(outer, UInt(TIOCSWINSZ), &window)
    }

    func mode() throws -> termios {
        var mode = termios()
        guard tcgetattr(inner, &mode) == 0 else { throw Failure() }
        return mode
    }

    func type(_ text: String) {
        DescriptorOutput.write(text, to: outer)
    }

    /// The text that was written to the terminal so far.
    func output() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var source = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
        while poll(&source, 1, 0) > 0 {
            let count = read(outer, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
