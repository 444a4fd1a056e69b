// A tool of the tests and of `store-model`, which compares each record with the record of its naive model.

extension Store {
    /// Returns every existing and every deleted record of the newest version, in an arbitrary order.
    package func contents() -> [RecordContents] {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = records
        let (typeNames, keyNames) = names.typesAndKeys
        return records.known.map { record in
            contents(of: record, records, type: { typeNames[Int($0.index)] }, key: { keyNames[Int($0.index)] })
        }
    }

    /// Returns an existing or deleted record of the newest version; nil for any other.
    package func contents(of id: DataID) -> RecordContents? {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = records
        guard let record = self.record(id), records.state(of: record) != .unknown else { return nil }
        return contents(of: record, records, type: { names.name(of: $0) }, key: { names.name(of: $0) })
    }

    private func contents(
        of record: RecordID, _ records: Records, type: (TypeID) -> String, key: (StorageKeyID) -> String
    ) -> RecordContents {
        let fields = zip(records.shape(of: record).keys, records.values(of: record)).map { own, value in
            (key: StorageKey(key(own)), value: value)
        }
        let isExisting = records.state(of: record) == .existing
        return RecordContents(
            id: names.dataID(of: record), type: isExisting ? TypeName(type(records.type(of: record))) : nil,
            fields: fields)
    }

    /// The known facts about which object types belong to which interfaces and unions.
    package var typeFacts: [(type: TypeName, abstractType: TypeName, holds: Bool)] {
        records.facts.entries.map { fact, holds in
            (TypeName(names.name(of: fact.type)), TypeName(names.name(of: fact.abstractType)), holds)
        }
    }

    /// Returns the number of a record; nil if the identity was never used.
    package func record(_ id: DataID) -> RecordID? { names.record(id, adding: false) }
}

/// A record of a store, with names instead of numbers.
package struct RecordContents: Sendable {
    /// The identity as text. It is the only name of a record outside the store, because numbers are given again.
    package let id: DataID
    /// The record's type; nil if the record is deleted.
    package let type: TypeName?
    /// The fields in the order in which they were first written.
    package let fields: [(key: StorageKey, value: Value)]
}
