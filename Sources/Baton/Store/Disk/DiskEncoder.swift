/// Makes the bytes of records for one batch. What a record needs beside its bytes is kept for the next one, so that
/// nothing is allocated for a field.
struct DiskEncoder {
    private struct Form: Hashable {
        let shape: UInt64
        let type: TypeID
    }

    private let disk: StoreDisk
    /// The forms that the file has or gets with the batch.
    var forms: DiskForms
    /// The numbers of the forms of whole records; nil for one that stands in its records.
    private var known: [Form: UInt64?] = [:]
    private var values = DiskWriter()
    private var sources: [DiskRecord.Source] = []
    /// The fields of the last record that are written.
    private(set) var keys: [StorageKeyID] = []
    private var errors: [(place: Int, text: String)] = []
    private var target: [UInt8] = []
    private var before: [UInt8] = []
    /// The stamp that was asked for last, and its source.
    private var last: (stamp: FetchStamps.Stamp, source: DiskRecord.Source) = (FetchStamps.none, .nobody)

    /// What of the last record the file must not have.
    struct Loss {
        /// The fields that are left out. The file may have them from an earlier writing.
        var keys: [StorageKeyID] = []
        /// True if nothing is left: the record is written only over what the file has of it, and else not at all, so
        /// that not even its identity gets there.
        var isWhole = false
        /// True if the record replaces what the file has.
        var replaces = false
    }

    /// Tells what the file must not have; nil if it gets everything.
    private var filter: UnstoredFilter?
    private let hasUnstoredOperations: Bool
    private(set) var loss = Loss()
    /// True if only operations that are left out have brought the last record.
    private var isBrought = false
    /// The records below roots of calls to which the fields of the last record lead.
    private(set) var linkedCalls: [RecordID] = []

    init(_ disk: StoreDisk, _ forms: DiskForms) {
        self.disk = disk
        self.forms = forms
        filter = disk.filter
        hasUnstoredOperations = !disk.unstored.operations.isEmpty
    }

    /// Returns fields of a record as the base of a version has them; nil if there is nothing to write.
    mutating func bytes(
        of record: RecordID, _ fields: UnwrittenChanges.Fields, of records: borrowing Records, _ own: [UInt8]
    ) -> [UInt8]? {
        linkedCalls.removeAll(keepingCapacity: true)
        loss = Loss()
        let base = records.base(of: record)
        let invalidated = records.invalidations.records.isEmpty ? 0 : records.invalidations.records[record] ?? 0
        switch base.state {
        case .unknown: return nil
        case .deleted:
            // The record may be one that the file must not have.
            loss.isWhole = filter != nil
            return DiskRecord(type: nil, invalidated: invalidated).bytes(&forms)
        case .existing: break
        }
        // What leads to the record is judged later, when it may have left the memory.
        let isLeftOut = filter?.leavesOutLinks(to: record, of: records) ?? false
        isBrought = isLeftOut && filter?.isBroughtByUnstored(record, of: records) == true
        if isLeftOut, filter?.leavesOut(record, of: records) == true {
            loss = Loss(isWhole: true, replaces: true)
            return DiskRecord(type: disk.names.name(of: base.type), invalidated: invalidated).bytes(&forms)
        }
        write(base, record, fields, records, own)
        if filter != nil, keys.isEmpty, isLeftOut || !base.shape.keys.isEmpty { loss.isWhole = true }
        var writer = DiskWriter()
        writer.bytes.reserveCapacity(values.bytes.count + 32 + sources.count)
        writer.append(form: form(of: base), invalidated)
        writer.append(sources)
        writer.append(errors)
        writer.bytes.append(contentsOf: values.bytes)
        return writer.bytes
    }

    private mutating func write(
        _ base: WholeRecord, _ record: RecordID, _ fields: UnwrittenChanges.Fields, _ records: borrowing Records,
        _ own: [UInt8]
    ) {
        values.bytes.removeAll(keepingCapacity: true)
        sources.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        errors.removeAll(keepingCapacity: true)
        let isBelowCall = DiskCalls.isBelow(own)
        let entries = records.stamps.entries
        let stamp = records.stamps.stamp(of: record)
        let isWhole = FetchStamps.isWhole(stamp, entries)
        last = (FetchStamps.none, .nobody)
        for (place, key) in base.shape.keys.enumerated() {
            if case .some(let changed) = fields, !changed.contains(key) { continue }
            let stamp = isWhole ? stamp : records.stamps.stamp(of: record, key, entries)
            if filter?.leavesOut(key, of: base.type) == true
                || hasUnstoredOperations && isOfUnstored(stamp, entries)
            {
                loss.keys.append(key)
                continue
            }
            let start = values.bytes.count
            switch write(base.values[place], own, isBelowCall, records, depth: 0) {
            case .written: break
            case .leftOut:
                loss.keys.append(key)
                fallthrough
            case .impossible:
                values.bytes.removeSubrange(start...)
                continue
            }
            if stamp != last.stamp { last = (stamp, disk.source(of: stamp, entries)) }
            if !records.fieldErrors.isEmpty, let found = records.fieldErrors[record, key] {
                errors.append((keys.count, StoreDisk.text(found)))
            }
            keys.append(key)
            sources.append(last.source)
        }
    }

    /// Returns true for a field of an operation that is left out. What a missing-field handler has found may come from
    /// such a field, and is found again.
    private func isOfUnstored(_ stamp: FetchStamps.Stamp, _ entries: [FetchStamps.Entry]) -> Bool {
        isBrought || stamp == FetchStamps.derived || FetchStamps.isUnstored(stamp, entries)
    }

    /// Returns the form of the record that was written last.
    private mutating func form(of base: WholeRecord) -> DiskForms.Place {
        guard keys.count == base.shape.count else { return place(base.type) }
        let form = Form(shape: base.shape.number, type: base.type)
        if case .some(.some(let number)) = known[form] { return .shared(number) }
        let found = place(base.type)
        if case .shared(let number) = found { known[form] = number }
        return found
    }

    private mutating func place(_ type: TypeID) -> DiskForms.Place {
        forms.place(of: DiskForm(type: disk.names.name(of: type), keys: keys.map { disk.names.name(of: $0) }))
    }

    // MARK: - Values

    private enum Outcome {
        case written
        /// The value leads to a record that the file must not have. A list goes as a whole: a shorter one would look
        /// complete.
        case leftOut
        /// A link leads to a number that is free, or lists are too deep.
        case impossible
    }

    /// Writes a value of the record with this identity.
    private mutating func write(
        _ value: Value, _ own: [UInt8], _ isBelowCall: Bool, _ records: borrowing Records, depth: Int
    ) -> Outcome {
        switch value {
        case .null: values.append(DiskValue.Kind.null.rawValue)
        case .bool(let value): values.append((value ? DiskValue.Kind.yes : .no).rawValue)
        case .int(let value):
            values.append(DiskValue.Kind.int.rawValue)
            values.append(signed: value)
        case .double(let value):
            values.append(DiskValue.Kind.double.rawValue)
            values.append(fixed: value.bitPattern)
        case .string(let value):
            values.append(DiskValue.Kind.string.rawValue)
            values.append(text: value)
        case .link(let record):
            let outcome = find(record, isBelowCall, records)
            guard outcome == .written else { return outcome }
            values.append(DiskValue.Kind.link.rawValue)
            values.append(target, after: own)
        case .links(let targets):
            values.append(DiskValue.Kind.links.rawValue)
            values.append(count: targets.count)
            var isFirst = true
            for record in targets {
                guard record != .none else {
                    values.append(number: 0)
                    continue
                }
                let outcome = find(record, isBelowCall, records)
                guard outcome == .written else { return outcome }
                values.append(target, after: isFirst ? own : before)
                isFirst = false
                swap(&before, &target)
            }
        case .list(let items):
            guard depth < DiskValue.deepest else { return .impossible }
            values.append(DiskValue.Kind.list.rawValue)
            values.append(count: items.count)
            for item in items {
                let outcome = write(item, own, isBelowCall, records, depth: depth + 1)
                guard outcome == .written else { return outcome }
            }
        case .scalar(let scalar):
            values.append(DiskValue.Kind.scalar.rawValue)
            values.append(block: scalar.json.jsonBytes)
        }
        return .written
    }

    /// Takes the identity of a record, unless the file must not have the record.
    private mutating func find(_ record: RecordID, _ isBelowCall: Bool, _ records: borrowing Records) -> Outcome {
        target.removeAll(keepingCapacity: true)
        if filter?.leavesOutLinks(to: record, of: records) == true { return .leftOut }
        guard disk.names.append(identityOf: record, to: &target) != nil else { return .impossible }
        if isBelowCall || DiskCalls.isBelow(target) { linkedCalls.append(record) }
        return .written
    }
}

extension DiskWriter {
    /// Writes the number of bytes that an identity shares with another one plus 1, and its other bytes.
    fileprivate mutating func append(_ identity: [UInt8], after other: [UInt8]) {
        var shared = 0
        let most = min(identity.count, other.count)
        while shared < most, identity[shared] == other[shared] { shared += 1 }
        append(count: shared + 1)
        append(count: identity.count - shared)
        bytes.append(contentsOf: identity[shared...])
    }
}
