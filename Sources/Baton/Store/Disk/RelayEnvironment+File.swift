extension RelayEnvironment {
    /// Where an environment keeps its records beyond the end of the process.
    ///
    /// `SQLitePersistence` of the product `BatonSQLite` is one. An app makes none of its own: what a file must do for
    /// the store is no public contract.
    public protocol Persistence: Sendable {
        /// Returns the file for one environment. Nothing is opened yet.
        func makeFile() -> File
    }

    /// A file for the records of one environment.
    public struct File: Sendable {
        package let disk: any RecordDisk

        /// Takes a file.
        package init(_ disk: any RecordDisk) { self.disk = disk }
    }
}
