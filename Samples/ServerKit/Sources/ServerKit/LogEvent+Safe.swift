import Baton

extension RelayError {
    /// The status or the code of the error, without any text of a server.
    var label: String { status.map { "status \($0)" } ?? "\(code)" }
}

extension Duration {
    /// The nanoseconds, for a timer.
    var nanoseconds: Int64 {
        let nanoseconds = self / .nanoseconds(1)
        return nanoseconds < 9e18 ? Int64(max(nanoseconds, 0)) : .max
    }
}
