/// The changes that a layer made in its last run, record by record.
struct LayerChanges: Sendable {
    /// The effect of the layer on a record.
    enum Effect: Sendable, Equatable {
        /// The record does not exist, and the layer does not create it.
        case none
        /// The layer's fields replace the same fields below; other fields stay.
        case fields
        /// The layer has the whole record, which hides the record below.
        case whole(TypeID)
        case deletion

        /// True if the record below is hidden.
        var hides: Bool {
            switch self {
            case .none, .fields: false
            case .whole, .deletion: true
            }
        }
    }

    struct Entry: Sendable {
        let record: RecordID
        /// The record's type; nil if the layer keeps the type.
        fileprivate let type: TypeID?
        fileprivate let isReplaced: Bool
        fileprivate let isDeleted: Bool
        let shape: Shape
        /// The values, in the order of the shape.
        let values: [Value]
        fileprivate(set) var effect = Effect.none

        func value(_ key: StorageKeyID) -> Value? { shape.position(of: key).map { values[$0] } }

        /// Calls a function with every key that the layer writes.
        func forEachWrite(_ body: (StorageKeyID) -> Void) {
            if effect == .none { return }
            if effect.hides { body(UpdateReads.Read.existence) }
            for key in shape.keys { body(key) }
        }

        /// The layer's keys; none if the layer has no effect.
        var keys: [StorageKeyID] { effect == .none ? [] : shape.keys }

        fileprivate func effect(over below: Records.Existence, _ names: NameTable) -> Effect {
            if isDeleted { return .deletion }
            let isThere = below.state == .existing
            if !isThere, type == nil, record != .root { return .none }
            if isThere, !isReplaced, type.map({ $0 == below.type }) ?? true { return .fields }
            return .whole(type ?? (isThere ? below.type : names.rootType))
        }
    }

    /// The entries, sorted by the number of the record, each record once.
    private(set) var entries: [Entry] = []

    init() {}

    /// Takes over the staged changes of a run. `existence` returns the existence of a record below the layer.
    init(_ staged: borrowing StagedRecords, over existence: (RecordID) -> Records.Existence, _ names: NameTable) {
        entries.reserveCapacity(staged.entries.count)
        var isSorted = true
        for (position, one) in staged.entries.enumerated() where !one.isSkipped {
            if let last = entries.last, last.record.index > one.record.index { isSorted = false }
            entries.append(
                Entry(
                    record: one.record, type: one.type, isReplaced: one.isReplaced, isDeleted: one.isDeleted,
                    shape: one.isDeleted ? .empty : staged.shape(position),
                    values: one.isDeleted ? [] : staged.values(position)))
        }
        if !isSorted { entries.sort { $0.record.index < $1.record.index } }
        computeEffects(over: existence, names)
    }

    /// Computes the effects again, because the records below have changed.
    mutating func computeEffects(over existence: (RecordID) -> Records.Existence, _ names: NameTable) {
        for index in entries.indices {
            entries[index].effect = entries[index].effect(over: existence(entries[index].record), names)
        }
    }

    func entry(of record: RecordID) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].record.index < record.index { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].record == record ? entries[low] : nil
    }
}
