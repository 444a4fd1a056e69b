import Baton

/// Notes on tests that the kit writes to standard error.
enum KitNote {
    /// What gets the notes of a test that provokes them, in place of standard error.
    @TaskLocal static var take: (@Sendable (String) -> Void)?

    static func write(_ text: String) {
        guard let take else { return LogPrinter.write(LogPrinter.line("baton: test: \(text)") + "\n", to: 2) }
        take(text)
    }
}
