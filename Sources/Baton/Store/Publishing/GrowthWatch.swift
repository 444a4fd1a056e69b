/// Watches the number of records and blocks, and wants a collection or packing when they have grown much.
protocol GrowthWatch: Sendable {
    /// Notes the numbers of a version that a publish makes. Called under the lock of the newest version.
    func setCount(of version: borrowing Records)
    /// Asks for a collection or packing if it is worth its cost. Must be called while no lock is held.
    func wantIfGrown()
}
