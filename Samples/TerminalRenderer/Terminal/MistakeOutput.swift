import Baton

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Tells an author of mistakes in a program that draws on the terminal.
public enum MistakeOutput {
    /// Writes an event of the environment's log to standard error if it is a mistake. Nothing is written in release
    /// builds, nor on a terminal, where the program draws: `swift run program 2> mistakes.txt` shows them.
    public static func write(_ event: LogEvent) {
        #if DEBUG
            guard event.isMistake, isatty(DescriptorOutput.error) == 0 else { return }
            DescriptorOutput.write("baton: mistake: \(event)\n", to: DescriptorOutput.error)
        #endif
    }
}
