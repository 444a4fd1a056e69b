/// Takes the changes that a running collection has to know from the publish that makes them.
///
/// Called during a turn, so that no other publish can begin, and under the lock of the newest version. Must not take a
/// lock of an earlier rank than ``LockRank/inbox``.
protocol ChangeInbox: Sendable {
    /// Adds the changes of a publish.
    func addChanges(_ changes: borrowing ChangeSet)
    /// Adds the links of records that layers cover.
    func addTargets(_ targets: [LayerReplay.Target])
}
