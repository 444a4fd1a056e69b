/// What an update has read from the file. The update's version does not have it, because the version is older.
///
/// A record is laid under the newest version at the moment at which it is asked for, so that a later run of the update
/// finds it in memory.
final class LowerDisk {
    private let disk: StoreDisk
    /// Reads records from the file and lays them under the newest version; nil if the file cannot be read.
    private let readRecords: ([RecordID]) -> [UnderlaidRecord]?
    private var read: [RecordID: UnderlaidRecord?] = [:]

    init(_ disk: StoreDisk, reading readRecords: @escaping ([RecordID]) -> [UnderlaidRecord]?) {
        self.disk = disk
        self.readRecords = readRecords
    }

    /// Returns the number of a data ID that the file may have.
    func record(of id: DataID) -> RecordID? { disk.record(id) }

    /// Returns what the file has of a record; nil if the version has all of it.
    func record(_ record: RecordID, below base: Records) -> UnderlaidRecord? {
        if base.hasAll(of: record) { return nil }
        if let known = read[record] { return known }
        let found = readRecords([record])?.first
        read[record] = .some(found)
        return found
    }

    /// Returns the value that the file has under a key; nil if the version decides.
    func value(_ key: StorageKeyID, of record: RecordID, below base: Records) -> Value? {
        guard var item = self.record(record, below: base), var place = item.keys.firstIndex(of: key) else { return nil }
        if place >= item.known, ask(for: item), let again = readRecords([record])?.first,
            let found = again.keys.firstIndex(of: key)
        {
            read[record] = again
            (item, place) = (again, found)
        }
        return isVisible(item, below: base) ? item.values[place] : nil
    }

    /// Asks for the fields of a record that stayed in the file, so that they are laid under from now on although no
    /// document in use selects them. Returns false if that was done before the record was read.
    private func ask(for item: UnderlaidRecord) -> Bool {
        let fields = item.keys[item.known...].map { disk.names.fieldName(of: $0) }
        disk.names.withSpelling { $0.ask(for: fields) }
        return item.types < disk.names.fieldTypes
    }

    /// Returns the record of the file, unless the version has deleted it or has another type.
    func visible(_ record: RecordID, below base: Records) -> UnderlaidRecord? {
        self.record(record, below: base).flatMap { isVisible($0, below: base) ? $0 : nil }
    }

    private func isVisible(_ item: UnderlaidRecord, below base: Records) -> Bool {
        guard let type = item.type else { return false }
        let own = base.existence(of: item.record)
        switch own.state {
        case .deleted: return false
        case .existing: return own.type == type
        case .unknown: return true
        }
    }

    /// Everything that was read, to be laid under a copy of the version.
    var all: [UnderlaidRecord] { read.values.compactMap(\.self) }

    func fetch(_ wanted: [RecordID], below base: Records) -> Bool {
        let types = disk.names.fieldTypes
        let new = wanted.filter { record in
            if base.hasAll(of: record) { return false }
            guard let known = read[record] else { return true }
            // More can be judged now than when the record was read.
            return known.map { $0.known < $0.keys.count && $0.types < types } ?? false
        }
        guard !new.isEmpty else { return false }
        let found = readRecords(new) ?? []
        for item in found { read[item.record] = .some(item) }
        for record in new where read[record] == nil { read[record] = .some(nil) }
        return true
    }
}
