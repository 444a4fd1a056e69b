import Synchronization

/// The file under a store: what goes into it, and what comes out of it.
///
/// State: the known forms, and what is known of the types of fields. Each has a lock of its own, a leaf. The
/// calls of the file run while no lock is held.
final class StoreDisk: Sendable {
    let disk: any RecordDisk
    let names: NameTable
    let session: UInt32
    /// What was wrong with the file that was there before, so that a new one has begun.
    let replaced: PersistenceError?
    /// The time of the environment's beginning, in milliseconds since 1970.
    private let beginning: Int
    private let forms = Guarded(DiskForms())
    private let types = Guarded(StoredTypes())
    let calls = DiskCalls()
    let reports = DiskReports()
    /// True from the emptying of the store to the emptying of the file. What the file has meanwhile is gone.
    let isVoid = Atomic(false)
    /// True until the file can be opened. Nothing is read from it meanwhile.
    let isWaiting = Atomic(false)
    let suspension = DiskSuspension()
    let clearing = DiskClearing()
    /// What the file never gets.
    let unstored: RelayEnvironment.UnstoredData
    let leftOut = LeftOutRecords()

    /// Takes a file that has been opened. `now` is the time since the environment was made.
    init(_ disk: any RecordDisk, _ opening: DiskOpening, _ names: NameTable, now: Duration) {
        self.disk = disk
        self.names = names
        unstored = disk.unstored
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

    /// True if the file is open, so that what is not in memory can be read.
    var isReadable: Bool { !isWaiting.load(ordering: .acquiring) && !suspension.isSuspended }

    /// Returns the number of a data ID that the file may have. The text of a place is not taken for an identity of its
    /// own; the file is asked which place it means.
    func record(_ id: DataID) -> RecordID? {
        let isPlace = id.rawValue.hasPrefix("client:") && !id.rawValue.hasPrefix("client:local:")
        if let known = names.record(id, adding: !isPlace) { return known }
        let cuts = PlaceCuts.identities(of: id)
        guard !cuts.isEmpty, !isVoid.load(ordering: .acquiring), isReadable else { return nil }
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
        let clears = clearing.count
        var identities: [DiskIdentity] = []
        var found: [UnderlaidRecord] = []
        for record in wanted {
            guard let identity = names.diskIdentity(of: record) else { continue }
            identities.append(identity)
            found.append(UnderlaidRecord(record, began: records.epoch, clears: clears))
        }
        if isVoid.load(ordering: .acquiring) { return found }
        let answers = try disk.read(identities)
        reports.report(.read(records: wanted.count, found: answers.count { $0 != nil }))
        var types = self.types.withLock { $0 }
        types.update(names)
        defer { self.types.withLock { $0 = types } }
        for (place, bytes) in answers.enumerated() where place < found.count {
            guard let bytes else { continue }
            guard let stored = try record(bytes) else {
                reports.note(
                    PersistenceError("a record is damaged: \(names.dataID(of: found[place].record))", .damaged))
                continue
            }
            if let type = stored.type, clearing.contains(type) { continue }
            // What the file has was judged when it was written.
            if !unstored.isEmpty, !stored.fields.isEmpty { leftOut.note(found[place].record, false) }
            fill(&found[place], from: stored, identities[place].bytes, wallTime(of: now), records, &types)
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

    private func fill(
        _ item: inout UnderlaidRecord, from stored: DiskRecord, _ own: [UInt8], _ now: Int,
        _ records: borrowing Records, _ types: inout StoredTypes
    ) {
        // No version of a damaged file may lie ahead.
        item.invalidated = min(stored.invalidated, item.began)
        guard let name = stored.type else {
            item.isDeleted = true
            return
        }
        let type = names.type(name)
        item.type = type
        item.types = types.version
        let parent = item.record == .root ? names.rootType : type
        var unknown: [(key: StorageKeyID, value: Value, source: UnderlaidRecord.Source?)] = []
        for field in stored.fields {
            guard var value = DiskValue.read(field.value, in: own, { names.record($0) }) else { continue }
            let key = names.key(field.key)
            let source = source(field.source, now, item.began)
            switch types.verdict(&value, field.key, of: parent, records, names) {
            case .fits:
                item.keys.append(key)
                item.values.append(value)
                item.sources.append(source)
            case .unknown: unknown.append((key, value, source))
            case .wrong:
                if let field = types.tell(field.key, of: name) { reports.report(.refused(field: field)) }
                continue
            }
            if let errors = field.errors { item.errors[key] = Self.errors(errors) }
        }
        item.known = item.keys.count
        for field in unknown {
            item.keys.append(field.key)
            item.values.append(field.value)
            item.sources.append(field.source)
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

    /// Returns the source of fields with a stamp.
    func source(of stamp: FetchStamps.Stamp, _ entries: [FetchStamps.Entry]) -> DiskRecord.Source {
        switch stamp {
        case FetchStamps.none: return .nobody
        case FetchStamps.derived: return .handler
        default:
            guard Int(stamp) < entries.count else { return .nobody }
            let mark = entries[Int(stamp)].mark
            return .fetch(.init(time: wallTime(of: mark.time), began: mark.began))
        }
    }

    /// The filter for a batch; nil if everything is stored.
    var filter: UnstoredFilter? { unstored.isEmpty ? nil : UnstoredFilter(unstored, names, leftOut) }

    /// Returns a record over what the file has of it, without the fields that the file must not have any more.
    func merged(
        _ record: [UInt8], over old: [UInt8], without gone: Set<String>, in transaction: any DiskTransaction,
        _ forms: inout DiskForms
    ) throws(PersistenceError) -> [UInt8] {
        if DiskRecord.covers(record, old) { return record }
        var failure: PersistenceError?
        func form(_ number: UInt64) -> DiskForm? {
            if let known = forms[number] { return known }
            do throws(PersistenceError) {
                guard let form = try transaction.form(number).flatMap({ DiskForm($0) }) else { return nil }
                forms.note(form, number)
                return form
            } catch {
                failure = error
                return nil
            }
        }
        let (stored, newer) = (DiskRecord(old, form: form), DiskRecord(record, form: form))
        if let failure { throw failure }
        guard let stored, let newer else { return record }
        return stored.merged(with: newer).without(gone).bytes(&forms)
    }

    /// Returns the type of a stored record; nil for one that is deleted or damaged.
    func type(
        of record: [UInt8], in transaction: any DiskTransaction, _ forms: inout DiskForms
    ) throws(PersistenceError) -> String? {
        switch DiskRecord.place(of: record) {
        case .own(let form): return form.type
        case .shared(let number):
            if let known = forms[number] { return known.type }
            guard let form = try transaction.form(number).flatMap({ DiskForm($0) }) else { return nil }
            forms.note(form, number)
            return form.type
        case nil: return nil
        }
    }

    /// The forms that are known to be in the file.
    var knownForms: DiskForms { forms.withLock { $0 } }

    /// Forgets which forms the file has, because it may be another file now.
    func forgetForms() { forms.withLock { $0 = DiskForms() } }

    /// Notes that the file has forms.
    func keep(_ written: DiskForms) {
        var written = written
        written.noteWritten()
        forms.withLock { $0 = written }
    }

    // MARK: - Errors

    static func text(_ errors: [GraphQLError]) -> String {
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
