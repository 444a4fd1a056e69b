/// Receives changes from each publish for a running collection.
///
/// The methods are called during a turn, so that no other publish can begin, and under the lock of the newest version.
/// They must not take a lock of an earlier rank than ``LockRank/inbox``.
protocol ChangeInbox: Sendable {
    /// Adds the changes of a publish.
    func addChanges(_ changes: borrowing ChangeSet)
    /// Adds the links that layers now hide from readers. They can be reached again when the layers are dropped.
    /// `records` is the version after the merge.
    func addTargets(_ targets: [LayerReplay.Target], in records: borrowing Records)
    /// Adds the links that layers have written in a run, because layers above may hide them.
    func addChanges(of layers: [Layer])
}
