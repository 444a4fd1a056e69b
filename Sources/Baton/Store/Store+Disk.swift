extension Store {
    /// Makes the store of an environment over a file, if there is one and it can be opened now or later. If it never
    /// can be, the store is in memory alone, and the error is reported and returned.
    static func opened(
        _ disk: (any RecordDisk)?, dataID: DataID.Function?, options: StoreOptions,
        now: @escaping @Sendable () -> Duration, _ report: Hook<DiskEvent>
    ) -> (store: Store, failure: PersistenceError?) {
        var failure: PersistenceError?
        if let disk {
            do throws(PersistenceError) {
                let store = try Store(
                    disk: disk, dataID: dataID, options: options, isKeptByOperations: false, now: now)
                store.queue.disk?.reports.set(report)
                if let failure = store.queue.disk?.reports.last {
                    report.body(.failed(failure))
                } else {
                    report.body(.opened(replaced: store.queue.disk?.replaced))
                }
                return (store, nil)
            } catch {
                failure = error
                report.body(.failed(error))
            }
        }
        return (Store(dataID: dataID, options: options, isKeptByOperations: false, now: now), failure)
    }

    /// Writes everything that was published before into the file and makes it durable, on the thread of the file.
    func flush() async throws(PersistenceError) {
        guard let disk = queue.disk?.disk else { return }
        if queue.disk?.suspension.isSuspended == true { throw .suspended }
        let result: Result<Void, PersistenceError> = await withCheckedContinuation { continuation in
            disk.perform {
                do throws(PersistenceError) {
                    try self.writeToDisk()
                    try disk.sync()
                    continuation.resume(returning: .success(()))
                } catch {
                    if error.kind != .suspended { self.queue.disk?.reports.note(error) }
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        try result.get()
    }

    /// Has nothing of the file open until `resume`.
    package func suspend() { queue.suspendWriting() }

    package func resume() { queue.resumeWriting() }

    /// Has the file lose what was published so far: all of it, or the records of a type.
    func clearDisk(_ type: TypeName? = nil) { if let type { queue.clearDisk(type) } else { queue.clearDisk() } }

    /// True if the file is suspended, and may have something that a plan lacks below a root.
    func needsSuspendedFile(_ plan: BoundPlan, at root: RecordID) -> Bool {
        queue.needsSuspendedFile(plan, at: root)
    }

    /// Has `call` called once when the suspension of the file ends, or at once if it has ended. An object waits once.
    /// `call` is kept until then, so it must not keep what should go before.
    func whenFileIsOpen(_ object: AnyObject, _ call: @escaping @Sendable () -> Void) {
        if queue.disk?.suspension.wait(object, call) != true { call() }
    }

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
        if records.state(of: record) == .unknown, !records.hasAll(of: record) { queue.readFromDisk([record], disk) }
        return record
    }

    /// Writes everything that was published before into the file, on the calling thread.
    ///
    /// If it throws, the changes stay in memory and count as unwritten.
    package func writeToDisk() throws(PersistenceError) { try queue.writeToDisk() }

    /// True if something was published that the file does not have.
    package var hasUnwritten: Bool { queue.inTurn { $0.unwritten?.isEmpty == false } }

    /// Reads records from the file that memory does not have.
    package func readFromDisk(_ ids: [DataID]) {
        guard let disk = queue.disk else { return }
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        while true {
            let records = records
            let types = names.fieldTypes
            let lacking = ids.compactMap { disk.record($0) }.filter { !records.isResident($0, knowing: types) }
            if lacking.isEmpty || queue.readFromDisk(lacking, disk) == nil { return }
        }
    }

    /// Returns the record of an identity, for tests.
    package func soughtRecord(_ id: DataID) -> RecordID? { sought(id) }
}
