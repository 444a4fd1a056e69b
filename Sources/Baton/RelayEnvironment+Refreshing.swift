extension RelayEnvironment {
    /// Tells the handles with ``Freshness/Triggers/networkReturned`` that the network can be reached again. Those whose
    /// last fetch has failed, and those whose last fetch is older than `age`, fetch again; what they show stays
    /// meanwhile. Returns at once.
    public func networkReturned(ifOlderThan age: Duration = .zero) {
        refreshes.note(.networkReturned, ifOlderThan: age)
    }

    /// Tells the handles with ``Freshness/Triggers/applicationReturned`` that the user looks at the application again.
    /// Those whose last fetch has failed, and those whose last fetch is older than `age`, fetch again; what they show
    /// stays meanwhile. Returns at once.
    public func applicationReturned(ifOlderThan age: Duration = .zero) {
        refreshes.note(.applicationReturned, ifOlderThan: age)
    }
}
