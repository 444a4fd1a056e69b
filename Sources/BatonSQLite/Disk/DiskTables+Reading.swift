import Baton

extension DiskTables {
    /// Returns the bytes of records in the order of the identities; nil for those that the file does not have. All are
    /// of one transaction.
    func read(_ identities: [DiskIdentity]) throws(SQLiteError) -> [[UInt8]?] {
        let places = identities.map { StoredPlace($0) }
        return try reading { () throws(SQLiteError) in
            var numbers: [ArraySlice<UInt8>: Int64?] = [:]
            var wanted: [Int64: [Int]] = [:]
            for (index, place) in places.enumerated() {
                let number: Int64?
                if let known = numbers[place.owner] {
                    number = known
                } else {
                    number = try self.number(of: place.owner)
                    numbers[place.owner] = .some(number)
                }
                if let number { wanted[StoredPlace.key(number, place.part), default: []].append(index) }
            }
            var found = [[UInt8]?](repeating: nil, count: places.count)
            // In the order of the keys, which is that of the pages.
            for (key, indices) in wanted.sorted(by: { $0.key < $1.key }) {
                guard let bytes = try row(key) else { continue }
                // A row that is damaged counts as records that are damaged, which the store reports.
                let records = StoredRow.records(indices.map { places[$0].end }, in: bytes) ?? indices.map { _ in [] }
                for (index, record) in zip(indices, records) { found[index] = record }
            }
            return found
        }
    }
}
