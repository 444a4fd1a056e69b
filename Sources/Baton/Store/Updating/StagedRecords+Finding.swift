extension StagedRecords {
    enum Finding {
        case value(Value)
        /// The field is missing; values below do not count.
        case missing
        case below
    }

    /// Returns the position of the staged changes of a record; nil if there are none or the merge leaves them out.
    private func landing(_ record: RecordID) -> Int? {
        guard let position = position(of: record), !entries[position].isSkipped else { return nil }
        return position
    }

    /// Returns the staged state of a record; nil if the changes leave its state as it is.
    func state(of record: RecordID) -> Records.State? {
        guard let position = landing(record) else { return nil }
        if entries[position].isDeleted { return .deleted }
        return entries[position].type == nil ? nil : .existing
    }

    func type(of record: RecordID) -> TypeID? { landing(record).flatMap { entries[$0].type } }

    /// Returns true if the staged changes hide the record below them: for a new record, another type, or a deletion.
    func hides(_ record: RecordID, below type: (RecordID) -> TypeID?) -> Bool {
        guard let position = landing(record) else { return false }
        let entry = entries[position]
        if entry.isDeleted || entry.isReplaced { return true }
        return entry.type.map { $0 != type(record) } ?? false
    }

    func find(
        _ key: StorageKeyID, of record: RecordID, below type: (RecordID) -> TypeID?
    ) -> Finding {
        guard let position = landing(record) else { return .below }
        let entry = entries[position]
        if entry.isDeleted { return .missing }
        if let value = value(position, key) { return .value(value) }
        return hides(record, below: type) ? .missing : .below
    }

    func addKeys(of record: RecordID, to keys: inout [StorageKeyID]) {
        guard let position = landing(record) else { return }
        for key in shape(position).keys where !keys.contains(key) { keys.append(key) }
    }
}
