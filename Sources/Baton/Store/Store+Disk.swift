extension Store {
    /// Reads from the file what an operation lacks. Returns false if nothing was read.
    func readFromDisk(_ operation: BoundOperation) -> Bool {
        queue.readFromDisk(operation.plans.write, at: operation.root, options.missingFieldHandlers)
    }

    /// Returns the record of an identity, which is read from the file if memory does not have it; nil if nothing knows
    /// the identity. The caller has a hold of numbers.
    func sought(_ id: DataID) -> RecordID? {
        guard let disk = queue.disk else { return names.record(id, adding: false) }
        guard let record = disk.record(id) else { return nil }
        let records = records
        if records.state(of: record) == .unknown, !records.isResident(record) { queue.readFromDisk([record], disk) }
        return record
    }

    /// Writes everything that was published before into the file, on the calling thread.
    ///
    /// If it throws, the changes stay in memory and count as unwritten.
    package func writeToDisk() throws(DiskFailure) { try queue.writeToDisk() }

    /// True if something was published that the file does not have.
    package var hasUnwritten: Bool { queue.inTurn { $0.unwritten?.isEmpty == false } }

    /// Reads records from the file that memory does not have.
    package func readFromDisk(_ ids: [DataID]) {
        guard let disk = queue.disk else { return }
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        while true {
            let records = records
            let lacking = ids.compactMap { disk.record($0) }.filter { !records.isResident($0) }
            if lacking.isEmpty || queue.readFromDisk(lacking, disk) == nil { return }
        }
    }

    /// Returns the record of an identity, for tests.
    package func soughtRecord(_ id: DataID) -> RecordID? { sought(id) }
}
