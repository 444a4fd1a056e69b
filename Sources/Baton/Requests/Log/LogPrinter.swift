#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WinSDK)
    import ucrt
#endif

/// Prints the events of an environment, one line for each event, for a person.
///
///     let environment = RelayEnvironment(network: network, log: LogPrinter().print)
///     //   0.001 s  query 'Films', request 1, is sent (storeOrNetwork)
///     //   0.132 s  publish 1, query 'Films', request 1: wrote 21 records, changed 21; told 1 of 1 component; ...
///
/// Each line begins with the time since the printer was made. An event is one line of at most 2,000 characters with
/// control characters escaped, whatever a server has put into a text.
///
/// Lines are printed on the thread of the event, so a blocked output blocks that thread.
public struct LogPrinter: Sendable {
    private let write: @Sendable (String) -> Void
    private let time: @Sendable () -> Duration

    /// Prints to a file descriptor, by default to standard error. Each line is written at once, so that lines of
    /// several threads do not mix.
    public init(to fileDescriptor: Int32 = 2) {
        self.init { Self.write($0 + "\n", to: fileDescriptor) }
    }

    /// Passes each line, without its end, to a closure, which is called from any thread.
    public init(_ write: @escaping @Sendable (String) -> Void) {
        self.init(clock: ContinuousClock(), write)
    }

    /// Passes each line, without its end, to a closure, with times of the given clock.
    public init(clock: some Clock<Duration>, _ write: @escaping @Sendable (String) -> Void) {
        let start = clock.now
        time = { start.duration(to: clock.now) }
        self.write = write
    }

    /// Prints an event. Pass this method to an environment as its log.
    public func print(_ event: LogEvent) {
        let time = time().seconds
        write(String(repeating: " ", count: max(0, 9 - time.count)) + time + "  " + Self.line(event.description))
    }

    private static let longest = 2_000

    /// Returns a text as one line that has no effect on a terminal.
    package static func line(_ text: String) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < longest else { return line + " ..." }
            count += 1
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            // Control characters of both blocks, and characters that change the direction of writing.
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// Writes the text. A failure is ignored, since there is no place to report it.
    package static func write(_ text: String, to fileDescriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                #if canImport(WinSDK)
                    let count = Int(_write(fileDescriptor, start, UInt32(rest.count)))
                #elseif canImport(Darwin)
                    let count = Darwin.write(fileDescriptor, start, rest.count)
                #elseif canImport(Glibc)
                    let count = Glibc.write(fileDescriptor, start, rest.count)
                #elseif canImport(Musl)
                    let count = Musl.write(fileDescriptor, start, rest.count)
                #elseif canImport(Android)
                    let count = Android.write(fileDescriptor, start, rest.count)
                #else
                    let count = 0
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}

extension Duration {
    /// `0.132 s`: seconds with three digits, rounded down.
    fileprivate var seconds: String {
        let time = max(0, milliseconds)
        return "\(time / 1_000).\(String(time % 1_000 + 1_000).dropFirst()) s"
    }
}
