/// What a layer did when it ran last, record by record.
struct LayerOutcome: Sendable {
    /// What becomes of a record through the layer.
    enum Effect: Sendable, Equatable {
        /// The record is not there, and the layer does not make it.
        case none
        /// Fields take the place of those below; the others stay.
        case fields
        /// The layer says all of the record: nothing below counts.
        case whole(TypeID)
        case deletion

        /// What is below is hidden.
        var hides: Bool {
            switch self {
            case .none, .fields: false
            case .whole, .deletion: true
            }
        }
    }

    struct Entry: Sendable {
        let record: RecordID
        /// Nil keeps the type.
        fileprivate let type: TypeID?
        fileprivate let isReplaced: Bool
        fileprivate let isDeleted: Bool
        let shape: Shape
        /// In the order of the shape.
        let values: [Value]
        fileprivate(set) var effect = Effect.none

        func value(_ key: StorageKeyID) -> Value? { shape.position(of: key).map { values[$0] } }

        /// Calls a function with every key of which the layer is a writer.
        func forEachWrite(_ body: (StorageKeyID) -> Void) {
            if effect == .none { return }
            if effect.hides { body(UpdateReads.Read.existence) }
            for key in shape.keys { body(key) }
        }

        /// Its keys, or none if they count for nothing.
        var keys: [StorageKeyID] { effect == .none ? [] : shape.keys }

        fileprivate func effect(over below: Records.Existence, _ names: NameTable) -> Effect {
            if isDeleted { return .deletion }
            let isThere = below.state == .existing
            if !isThere, type == nil, record != .root { return .none }
            if isThere, !isReplaced, type.map({ $0 == below.type }) ?? true { return .fields }
            return .whole(type ?? (isThere ? below.type : names.rootType))
        }
    }

    /// By the number of the record, each once.
    private(set) var entries: [Entry] = []

    init() {}

    /// Takes what a run has staged; `existence` says what there is below.
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
        settle(over: existence, names)
    }

    /// Finds out again what becomes of each record, when others are below.
    mutating func settle(over existence: (RecordID) -> Records.Existence, _ names: NameTable) {
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
