extension RelayEnvironment {
    /// Notifies the handles with ``Freshness/Triggers/networkReturned`` that the network can be reached again. A handle
    /// fetches again if its last fetch has failed or is older than `age`; meanwhile it continues to show its data.
    /// Returns at once.
    public func networkReturned(ifOlderThan age: Duration = .zero) {
        refreshes.note(.networkReturned, ifOlderThan: age)
    }

    /// Notifies the handles with ``Freshness/Triggers/applicationReturned`` that the user has returned to the
    /// application. A handle fetches again if its last fetch has failed or is older than `age`; meanwhile it continues
    /// to show its data. Returns at once.
    public func applicationReturned(ifOlderThan age: Duration = .zero) {
        refreshes.note(.applicationReturned, ifOlderThan: age)
    }
}
