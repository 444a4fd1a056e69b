/// The keys of a record that gets more and more fields, such as the root of an application that shows one page after
/// another.
///
/// Each new field makes a new shape. Shapes that continue each other share one object of keys, and each shape has the
/// first `count` of the keys. So a new field costs the same however many there are.
///
/// Only the store that has made the keys adds to them. A store over a base gives its keys numbers of its own, and the
/// keys that it adds must end with it.
///
/// State: guarded by a lock of its own, a leaf.
final class GrowingKeys: Sendable {
    private struct State {
        var keys: [StorageKeyID]
        /// Positions plus one, 0 for free buckets. The length is a power of two, and at most half of the buckets are
        /// used.
        var buckets: [UInt32]
        /// References that keep the keys' numbers from being given to other keys.
        var uses: [KeyNumbers.Use]
    }

    private let owner: ObjectIdentifier
    private let state: Guarded<State>

    /// Keeps keys for the store with a table of names.
    init(_ keys: [StorageKeyID], _ uses: [KeyNumbers.Use], owner: ObjectIdentifier) {
        self.owner = owner
        state = Guarded(State(keys: keys, buckets: Shape.table(keys), uses: uses))
    }

    /// Returns the first keys.
    func prefix(_ count: Int) -> [StorageKeyID] { state.withLock { Array($0.keys.prefix(count)) } }

    /// Returns the key at a position, which must be below the `count` of a shape.
    func key(at position: Int) -> StorageKeyID { state.withLock { $0.keys[position] } }

    /// Returns the position of a key; nil if it is not among the first `count`.
    func position(of key: StorageKeyID, below count: Int) -> Int? {
        state.withLock { state in
            guard let position = Shape.position(of: key, in: state.buckets, state.keys) else { return nil }
            return position < count ? position : nil
        }
    }

    /// Adds keys after the first `count`, which do not have them. Returns false if others have been added there, or if
    /// the keys belong to another store.
    func append(
        _ added: [StorageKeyID], _ uses: [KeyNumbers.Use], after count: Int, owner: ObjectIdentifier
    ) -> Bool {
        state.withLock { state in
            guard owner == self.owner, state.keys.count == count else { return false }
            state.keys += added
            state.uses += uses
            if state.buckets.count < state.keys.count * 2 {
                state.buckets = Shape.table(state.keys)
            } else {
                for position in count..<state.keys.count { Shape.enter(position, of: state.keys, in: &state.buckets) }
            }
            return true
        }
    }
}
