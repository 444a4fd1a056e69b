extension RelayEnvironment {
    /// Every record of the current version, optimistic changes included; for tests, bug reports and tools.
    public var records: StoreRecords { store.inspection }
}
