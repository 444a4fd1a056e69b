import Baton

/// Notes on tests that the kit writes to standard error.
enum KitNote {
    /// True in a test that provokes a note.
    @TaskLocal static var isExpected = false

    static func write(_ text: String) {
        if !isExpected { LogPrinter.write(LogPrinter.line("baton: test: \(text)") + "\n", to: 2) }
    }
}
