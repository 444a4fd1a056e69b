import BatonProject

/// Where a command that does not end by itself writes to, and what ends it.
package struct WatchConsole: Sendable {
    package let stop: WakePipe
    /// Is called before the first wait, so that signals end the wait from then on.
    package let isWaited: @Sendable () -> Void
    /// Writes to standard output and to standard error.
    package let write: @Sendable (_ output: String, _ errors: String) -> Void

    package init(
        stop: WakePipe, isWaited: @escaping @Sendable () -> Void = {},
        write: @escaping @Sendable (_ output: String, _ errors: String) -> Void
    ) {
        self.stop = stop
        self.isWaited = isWaited
        self.write = write
    }
}
