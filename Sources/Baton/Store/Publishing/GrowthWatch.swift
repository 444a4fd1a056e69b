/// Watches the number of records and blocks, and asks for a collection when they have grown much.
protocol GrowthWatch: Sendable {
    /// Notes the numbers of a version that a publish makes. Called under the lock of the newest version.
    func setCount(of version: borrowing Records)
    /// Asks for what is worth its cost. Must be called while no lock is held.
    func wantIfGrown()
}
