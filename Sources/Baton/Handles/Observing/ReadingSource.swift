/// A handle without the type of its data, for a tracked frame that reads it.
protocol ReadingSource: Sendable {
    var environment: RelayEnvironment { get }
    var observers: Observers { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// Returns the newest state; reads the store again if the data has changed.
    func reading() -> Reading
}
