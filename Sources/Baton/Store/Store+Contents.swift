/// A record of a store, with names instead of numbers.
package struct RecordContents: Sendable {
    /// The record's number.
    package let record: RecordID
    /// Its identity as text.
    package let id: DataID
    /// The record's type; nil if the record is deleted.
    package let type: TypeName?
    /// The fields in the order in which they were first written.
    package let fields: [(key: StorageKey, value: Value)]
}

extension Store {
    /// Returns every existing and every deleted record of the newest version, in an arbitrary order.
    package func contents() -> [RecordContents] { contents(of: records) }

    func contents(of records: Records) -> [RecordContents] {
        let (typeNames, keyNames) = names.typesAndKeys
        return records.known.map { record in
            let isExisting = records.state(of: record) == .existing
            let fields = zip(records.shape(of: record).keys, records.values(of: record)).map { key, value in
                (key: StorageKey(keyNames[Int(key.index)]), value: value)
            }
            return RecordContents(
                record: record, id: names.dataID(of: record),
                type: isExisting ? TypeName(typeNames[Int(records.type(of: record).index)]) : nil, fields: fields)
        }
    }

    /// The known facts about which object types belong to which interfaces and unions.
    package var typeFacts: [(type: TypeName, abstractType: TypeName, holds: Bool)] {
        records.facts.map { fact, holds in
            (TypeName(names.name(of: fact.type)), TypeName(names.name(of: fact.abstractType)), holds)
        }
    }

    /// Returns the number of a record; nil if the identity was never used.
    package func record(_ id: DataID) -> RecordID? { names.record(id, adding: false) }
}
