/// A record as a store holds it, with names instead of numbers.
package struct RecordContents: Sendable {
    /// Its number.
    package let record: RecordID
    /// Its identity as text.
    package let id: DataID
    /// Nil if it is known not to exist.
    package let type: TypeName?
    /// In the order in which they were first written.
    package let fields: [(key: StorageKey, value: Value)]
}

extension Store {
    /// Every record of the newest version that exists or is known not to, in no order that means anything.
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

    /// Which object types are of which interfaces and unions, as answers have shown.
    package var typeFacts: [(type: TypeName, abstractType: TypeName, holds: Bool)] {
        records.facts.map { fact, holds in
            (TypeName(names.name(of: fact.type)), TypeName(names.name(of: fact.abstractType)), holds)
        }
    }

    /// The number of a record; nil if nobody ever named it.
    package func record(_ id: DataID) -> RecordID? { names.record(id, adding: false) }
}
