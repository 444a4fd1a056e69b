/// The order in which one thread may take locks. A lock may be taken only while no lock of the same or a later rank is
/// held.
///
/// The cases stand in this order, the outermost first. A debug build stops with a message if the order is broken, even
/// if no other thread waits at that moment.
package enum LockRank: UInt8, Sendable {
    /// The writing of the file, of which there is one at a time.
    case writing
    /// The connection that writes the file.
    case file
    /// A connection that reads the file.
    case fileReading
    /// The deliveries of observing actors.
    case deliveries
    /// A request in flight, and its waiting handles and callers.
    case request
    /// The result that a handle shows.
    case handle
    /// The errors of the last requests of operations.
    case lastFetches
    /// A running collection; the lock is held during a slice.
    case collection
    /// The turn to publish: the layers, and the notes for late responses.
    case publishing
    /// The access to the numbers of records.
    case numbers
    /// The changes of the last publishes.
    case journal
    /// The newest version of the records.
    case records
    /// The readers of each record.
    case subscriptions
    /// The operations in use, the count of their holders, and the times when they were fetched.
    case operations
    /// The events since the last slice of a collection.
    case inbox
    /// The selection sets in the form that the normalizer uses.
    case plans
    /// Names and their numbers.
    case names
    /// Locks inside which no other lock is taken.
    case leaf
}
