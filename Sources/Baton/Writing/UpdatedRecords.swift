/// The records of a store with the changes of one update on top.
///
/// The changes stand beside the base: writing into a version that somebody else holds too would copy its tables, which takes longer the more records there
/// are (benchmark `notify.growth`).
struct UpdatedRecords: Sendable {
    /// A record as the update sees it.
    struct Record: Sendable {
        var state: Records.State
        var type: TypeID
        var shape = Shape.empty
        var values: [Value] = []

        mutating func set(_ key: StorageKeyID, _ value: Value, _ names: NameTable) {
            if let position = shape.position(of: key) {
                values[position] = value
            } else {
                shape = names.shape(shape.keys + [key])
                values.append(value)
            }
        }
    }

    private let base: Records
    private var changed: [RecordID: Record] = [:]

    init(_ base: Records) {
        self.base = base
    }

    subscript(record: RecordID) -> Record {
        get { changed[record] ?? base.record(record) }
        set { changed[record] = newValue }
    }

    func state(of record: RecordID) -> Records.State { changed[record]?.state ?? base.state(of: record) }

    /// The value under a key; nil if it is missing.
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        guard let own = changed[record] else { return base.value(key, of: record) }
        return own.shape.position(of: key).map { own.values[$0] }
    }

    /// One version with the changes in it. Takes time linear in the changes, and in the number of pages and blocks.
    var version: Records {
        var records = base
        for (record, own) in changed {
            switch own.state {
            case .existing: records.replace(record, own.type, own.shape, own.values, changed: 0)
            case .deleted: records.delete(record, changed: 0)
            case .unknown: break
            }
        }
        return records
    }
}

extension Records {
    fileprivate func record(_ record: RecordID) -> UpdatedRecords.Record {
        .init(state: state(of: record), type: type(of: record), shape: shape(of: record), values: values(of: record))
    }
}
