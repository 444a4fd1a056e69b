/// The order in which one thread may take locks: each only while it holds none of the same rank or of a later one.
///
/// The ranks stand in this order, outer first. A debug build ends with a message when the order is broken, whether or
/// not another thread waits at that moment.
package enum LockRank: UInt8, Sendable {
    /// The mailboxes of observing actors.
    case mailboxes
    /// A request in flight, and who waits for it.
    case request
    /// What a handle shows.
    case handle
    /// What is held of the operations of an environment, and how their requests went.
    case ledger
    /// A collection that is under way: held during a slice.
    case collection
    /// The turn to publish: layers, and what is newer than late answers.
    case publishing
    /// The entrance to the numbers of records.
    case numbers
    /// The last publishes.
    case journal
    /// The newest version of the records.
    case records
    /// Who reads what.
    case subscriptions
    /// The operations in use, and when they were fetched.
    case operations
    /// What has happened since a collection looked last.
    case inbox
    /// Selection sets as the normalizer follows them.
    case plans
    /// Names and their numbers.
    case names
    /// Locks within which no other is taken.
    case leaf
}
