import Synchronization

/// The file under a store: what goes into it, and what comes out of it.
///
/// State: the known forms, guarded by a lock of their own, a leaf. The calls of the file run while no lock is held.
final class StoreDisk: Sendable {
    let disk: any RecordDisk
    let names: NameTable
    let session: UInt32
    /// What was wrong with the file that was there before, so that a new one has begun.
    let replaced: PersistenceError?
    /// The time of the environment's beginning, in milliseconds since 1970.
    private let beginning: Int
    private let forms = Guarded(DiskForms())
    let calls = DiskCalls()
    let reports = DiskReports()
    /// True from the emptying of the store to the emptying of the file. What the file has meanwhile is gone.
    let isVoid = Atomic(false)

    /// Takes a file that has been opened. `now` is the time since the environment was made.
    init(_ disk: any RecordDisk, _ opening: DiskOpening, _ names: NameTable, now: Duration) {
        self.disk = disk
        self.names = names
        session = opening.session
        replaced = opening.replaced
        beginning = opening.now - now.milliseconds
    }

    // MARK: - Times

    private func wallTime(of time: Duration) -> Int { beginning + time.milliseconds }

    /// Returns a stored time on the environment's clock. A time that is still to come says nothing about an age, so it
    /// counts as long ago: the clock of the machine was wrong then or is wrong now.
    private func time(of stored: Int, before now: Int) -> Duration {
        guard stored <= now, stored >= now - Self.longest else { return .milliseconds(now - Self.longest - beginning) }
        return .milliseconds(stored - beginning)
    }

    /// A hundred years in milliseconds.
    private static let longest = 100 * 366 * 86_400_000

    // MARK: - Reading

    /// Returns the number of a data ID that the file may have. The text of a place is not taken for an identity of its
    /// own; the file is asked which place it means.
    func record(_ id: DataID) -> RecordID? {
        let isPlace = id.rawValue.hasPrefix("client:") && !id.rawValue.hasPrefix("client:local:")
        if let known = names.record(id, adding: !isPlace) { return known }
        let cuts = PlaceCuts.identities(of: id)
        guard !cuts.isEmpty, !isVoid.load(ordering: .acquiring) else { return nil }
        do throws(PersistenceError) {
            guard let place = try disk.read(cuts).firstIndex(where: { $0 != nil }) else { return nil }
            return names.record(cuts[place].bytes[...])
        } catch {
            reports.note(error)
            return nil
        }
    }

    /// Reads what the file has of records. The caller has a hold of numbers.
    ///
    /// A record of which the bytes are damaged counts as missing, and is noted among the failures.
    func read(_ wanted: [RecordID], of records: borrowing Records, at now: Duration) throws(PersistenceError)
        -> [UnderlaidRecord]
    {
        var identities: [DiskIdentity] = []
        var found: [UnderlaidRecord] = []
        for record in wanted {
            guard let identity = names.diskIdentity(of: record) else { continue }
            identities.append(identity)
            found.append(UnderlaidRecord(record, began: records.epoch))
        }
        if isVoid.load(ordering: .acquiring) { return found }
        let answers = try disk.read(identities)
        reports.report(.read(records: wanted.count, found: answers.count { $0 != nil }))
        for (place, bytes) in answers.enumerated() where place < found.count {
            guard let bytes else { continue }
            guard let stored = try record(bytes) else {
                reports.note(
                    PersistenceError("a record is damaged: \(names.dataID(of: found[place].record))", .damaged))
                continue
            }
            fill(&found[place], from: stored, identities[place].bytes, wallTime(of: now))
        }
        return found
    }

    private func record(_ bytes: [UInt8]) throws(PersistenceError) -> DiskRecord? {
        var failure: PersistenceError?
        let record = DiskRecord(bytes) { number in
            if let known = forms.withLock({ $0[number] }) { return known }
            do throws(PersistenceError) {
                guard let form = try disk.form(number).flatMap({ DiskForm($0) }) else { return nil }
                forms.withLock { $0.note(form, number) }
                return form
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        return record
    }

    private func fill(_ item: inout UnderlaidRecord, from stored: DiskRecord, _ own: [UInt8], _ now: Int) {
        // No version of a damaged file may lie ahead.
        item.invalidated = min(stored.invalidated, item.began)
        guard let type = stored.type else {
            item.isDeleted = true
            return
        }
        item.type = names.type(type)
        for field in stored.fields {
            guard let value = DiskValue.read(field.value, in: own, { names.record($0) }) else { continue }
            let key = names.key(field.key)
            item.keys.append(key)
            item.values.append(value)
            item.sources.append(source(field.source, now, item.began))
            if let errors = field.errors { item.errors[key] = Self.errors(errors) }
        }
    }

    private func source(_ source: DiskRecord.Source, _ now: Int, _ newest: Epoch) -> UnderlaidRecord.Source? {
        switch source {
        case .nobody: nil
        case .handler: UnderlaidRecord.Source(mark: nil)
        case .fetch(let fetch):
            UnderlaidRecord.Source(
                mark: FetchMark(time: time(of: fetch.time, before: now), began: min(fetch.began, newest)))
        }
    }

    // MARK: - Writing

    /// Returns the fields of a record for the file, as the base of a version has them; nil if there is nothing to
    /// write.
    ///
    /// - Parameter linkedCalls: Gets the records below roots of calls to which the fields lead.
    func record(
        _ record: RecordID, _ fields: UnwrittenChanges.Fields, of records: borrowing Records, _ own: [UInt8],
        linkedCalls: inout [RecordID]
    ) -> DiskRecord? {
        let isBelowCall = DiskCalls.isBelow(DiskIdentity(own))
        var targets: [RecordID] = []
        defer { linkedCalls = targets }
        func identity(_ target: RecordID) -> [UInt8]? {
            guard let identity = names.diskIdentity(of: target) else { return nil }
            if isBelowCall || DiskCalls.isBelow(identity) { targets.append(target) }
            return identity.bytes
        }
        let base = records.base(of: record)
        let invalidated = records.invalidations.records[record] ?? 0
        switch base.state {
        case .unknown: return nil
        case .deleted: return DiskRecord(type: nil, invalidated: invalidated)
        case .existing: break
        }
        let entries = records.stamps.entries
        var stored: [DiskRecord.Field] = []
        for (place, key) in base.shape.keys.enumerated() {
            if case .some(let keys) = fields, !keys.contains(key) { continue }
            guard let value = DiskValue.bytes(of: base.values[place], in: own, identity) else { continue }
            stored.append(
                DiskRecord.Field(
                    key: names.name(of: key), value: value, source: source(of: key, record, records, entries),
                    errors: records.fieldErrors[record, key].map(Self.text)))
        }
        return DiskRecord(type: names.name(of: base.type), fields: stored, invalidated: invalidated)
    }

    private func source(
        of key: StorageKeyID, _ record: RecordID, _ records: borrowing Records, _ entries: [FetchStamps.Entry]
    ) -> DiskRecord.Source {
        let stamp = records.stamps.stamp(of: record, key, entries)
        switch stamp {
        case FetchStamps.none: return .nobody
        case FetchStamps.derived: return .handler
        default:
            guard Int(stamp) < entries.count else { return .nobody }
            let mark = entries[Int(stamp)].mark
            return .fetch(.init(time: wallTime(of: mark.time), began: mark.began))
        }
    }

    /// Writes a record into a transaction, over what the file has of it.
    func write(
        _ record: DiskRecord, replaces: Bool, at identity: DiskIdentity, into transaction: any DiskTransaction,
        _ forms: inout DiskForms
    ) throws(PersistenceError) {
        var result = record
        if !replaces, record.type != nil, let old = try transaction.read(identity) {
            var failure: PersistenceError?
            let known = copy forms
            let stored = DiskRecord(old) { number in
                if let form = known[number] { return form }
                do throws(PersistenceError) {
                    return try transaction.form(number).flatMap { DiskForm($0) }
                } catch {
                    failure = error
                    return nil
                }
            }
            if let failure { throw failure }
            if let stored { result = stored.merged(with: record) }
        }
        let bytes = result.bytes(&forms)
        try transaction.put(bytes, at: identity)
    }

    /// Calls `body` with the forms that are known to be in the file, and keeps those that it adds if it succeeds.
    func withForms(_ body: (inout DiskForms) throws(PersistenceError) -> Void) throws(PersistenceError) {
        var copy = forms.withLock { $0 }
        try body(&copy)
        copy.noteWritten()
        forms.withLock { $0 = copy }
    }

    // MARK: - Errors

    private static func text(_ errors: [GraphQLError]) -> String {
        JSONValue.array(
            errors.map { error in
                var members: [JSONValue.Member] = [.init("message", .string(error.message))]
                if let extensions = error.extensions { members.append(.init("extensions", extensions)) }
                if !error.otherMembers.isEmpty {
                    let others = error.otherMembers.sorted { $0.key < $1.key }
                    members.append(.init("others", .object(others.map { JSONValue.Member($0.key, $0.value) })))
                }
                return .object(members)
            }
        ).text
    }

    private static func errors(_ text: String) -> [GraphQLError] {
        guard case .array(let items)? = try? JSONValue.parse(text) else { return [] }
        return items.compactMap { item in
            guard case .string(let message)? = item["message"] else { return nil }
            var error = GraphQLError(message: message)
            error.extensions = item["extensions"]
            if case .object(let others)? = item["others"] {
                for member in others { error.otherMembers[member.name] = member.value }
            }
            return error
        }
    }
}
