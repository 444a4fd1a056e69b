extension StoreRecords {
    /// One record as it is in one version of a store. The value can be kept.
    public struct Record: Sendable {
        let record: RecordID
        let records: Records
        let names: NameTable
        /// Keeps the record's number from being given to another record.
        private let hold: NumberHold

        init?(_ record: RecordID, _ records: Records, _ names: NameTable) {
            guard records.state(of: record) == .existing else { return nil }
            self.init(known: record, records, names)
        }

        init(known record: RecordID, _ records: Records, _ names: NameTable) {
            self.record = record
            self.records = records
            self.names = names
            hold = NumberHold(names)
        }

        /// The identity of the record.
        public var dataID: DataID { names.dataID(of: record) }
        /// The name of its object type; `__Root` for the root.
        public var typename: TypeName {
            TypeName(names.name(of: record == .root ? names.rootType : records.type(of: record)))
        }

        private func stored(_ name: String, _ arguments: [String: JSONValue]) -> Value? {
            let key = StorageKey(name, arguments.map { ($0.key, $0.value) })
            return records.value(names.key(key.rawValue), of: record)
        }

        /// Returns a scalar, an enum value or a list of them; nil if the field is missing or links to objects.
        public func value(forField name: String, arguments: [String: JSONValue] = [:]) -> JSONValue? {
            guard let value = stored(name, arguments) else { return nil }
            switch value {
            case .link, .links: return nil
            default: return value.json { [names] in names.dataID(of: $0) }
            }
        }

        /// Returns the record that a field links to; nil if the link is null or missing, or if the record is deleted.
        public func linkedRecord(forField name: String, arguments: [String: JSONValue] = [:]) -> Record? {
            guard case .link(let target) = stored(name, arguments) else { return nil }
            return Record(target, records, names)
        }

        /// Returns the records of a list of links; nil if the list is null or missing. An element is nil if its link is
        /// null or leads to a deleted record.
        public func linkedRecords(forField name: String, arguments: [String: JSONValue] = [:]) -> [Record?]? {
            guard case .links(let targets) = stored(name, arguments) else { return nil }
            return targets.map { $0 == .none ? nil : Record($0, records, names) }
        }
    }
}
