/// A record on its own, outside of a version.
struct WholeRecord: Sendable {
    var state: Records.State
    /// The record's type; `TypeID.none` if the record does not exist.
    var type: TypeID
    var shape = Shape.empty
    /// The values, in the order of the shape.
    var values: [Value] = []

    /// Returns the value under a key; nil if it is missing.
    func value(_ key: StorageKeyID) -> Value? { shape.position(of: key).map { values[$0] } }

    /// Sets a field; nil makes it missing.
    mutating func set(_ key: StorageKeyID, _ value: Value?, _ names: NameTable) {
        guard let value else {
            guard let position = shape.position(of: key) else { return }
            shape = names.shape(shape.keys.filter { $0 != key })
            values.remove(at: position)
            return
        }
        if let position = shape.position(of: key) {
            values[position] = value
        } else {
            shape = names.shape(shape.keys + [key])
            values.append(value)
        }
    }

    /// Merges the staged changes of the record, as the merge of a version does; returns false if nothing differs
    /// afterwards.
    mutating func merge(_ staged: StagedRecords, at position: Int, _ names: NameTable) -> Bool {
        let entry = staged.entries[position]
        if entry.isSkipped { return false }
        if entry.isDeleted {
            guard state != .deleted else { return false }
            self = .init(state: .deleted, type: .none)
            return true
        }
        if state != .existing, entry.type == nil, entry.record != .root { return false }
        let shape = staged.shape(position)
        let values = staged.values(position)
        guard state == .existing, !entry.isReplaced, entry.type.map({ $0 == type }) ?? true else {
            let known = state == .existing ? type : names.rootType
            self = .init(state: .existing, type: entry.type ?? known, shape: shape, values: values)
            return true
        }
        var isChanged = false
        for (key, value) in zip(shape.keys, values) {
            if let place = self.shape.position(of: key), self.values[place].isIdentical(to: value) { continue }
            set(key, value, names)
            isChanged = true
        }
        return isChanged
    }
}
