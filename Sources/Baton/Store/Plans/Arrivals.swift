import Synchronization

/// What the later parts of all responses in flight will fill.
///
/// What is under way is known by the place in the store that a request will fill, not by the operation of the reader.
/// Without a response in parts nothing is here, and a read that lacks data asks one atomic.
///
/// State: guarded by a lock of its own, a leaf.
final class Arrivals: Sendable {
    private let count = Atomic(0)
    private let responses = Guarded<[ObjectIdentifier: ArrivingPlaces]>([:])

    /// True if no response in flight has places to fill.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Adds the places of a response, unless they are here.
    func add(_ places: ArrivingPlaces) { change { $0[ObjectIdentifier(places)] = places } }

    /// Removes the places of a response.
    func remove(_ places: ArrivingPlaces) { change { $0[ObjectIdentifier(places)] = nil } }

    private func change(_ body: (inout [ObjectIdentifier: ArrivingPlaces]) -> Void) {
        responses.withLock { responses in
            body(&responses)
            count.store(responses.count, ordering: .releasing)
        }
    }

    /// Returns true if a part will fill a field of a record that a read lacks. With no key the read lacks the record,
    /// or what a type condition needs.
    func fill(_ key: StorageKeyID?, of record: RecordID, in records: Records) -> Bool {
        if isEmpty { return false }
        return responses.withLock { Array($0.values) }.contains { $0.fill(key, of: record, in: records) }
    }
}
