import Baton

/// A row of the file: records that belong to one owner, each with the end of its identity behind the owner's.
///
///     for each record: the number of bytes that its end shares with the end before, the other bytes of its end with
///     their number, and the bytes of the record with their number
struct StoredRow {
    struct Entry {
        let end: ArraySlice<UInt8>
        var record: ArraySlice<UInt8>
    }

    private(set) var entries: [Entry] = []

    init() {}

    /// Reads a row; nil if the bytes are none.
    init?(_ bytes: [UInt8]) {
        var reader = DiskReader(bytes)
        var end: [UInt8] = []
        while !reader.isAtEnd {
            guard let next = Self.nextEnd(&reader, after: end), let record = reader.block() else { return nil }
            end = next
            entries.append(Entry(end: end[...], record: record))
        }
    }

    /// Returns the bytes of some records of a row, in the order of their ends; nil in place of those that it has not,
    /// and nil for bytes that are no row.
    static func records(_ ends: [ArraySlice<UInt8>], in bytes: [UInt8]) -> [[UInt8]?]? {
        var reader = DiskReader(bytes)
        var found = [[UInt8]?](repeating: nil, count: ends.count)
        var end: [UInt8] = []
        var left = ends.count
        while left > 0, !reader.isAtEnd {
            guard let next = nextEnd(&reader, after: end), let record = reader.block() else { return nil }
            end = next
            for (place, wanted) in ends.enumerated() where wanted.count == end.count && wanted.elementsEqual(end) {
                if found[place] == nil { left -= 1 }
                found[place] = Array(record)
            }
        }
        return found
    }

    private static func nextEnd(_ reader: inout DiskReader, after end: [UInt8]) -> [UInt8]? {
        guard let shared = reader.number(), shared <= UInt64(end.count), let rest = reader.block() else { return nil }
        return shared == 0 ? Array(rest) : Array(end[..<Int(shared)]) + rest
    }

    var bytes: [UInt8] {
        var writer = DiskWriter()
        writer.bytes.reserveCapacity(entries.reduce(0) { $0 + $1.end.count + $1.record.count + 6 })
        var before: ArraySlice<UInt8> = []
        for entry in entries {
            let shared = zip(before, entry.end).prefix { $0 == $1 }.count
            writer.append(count: shared)
            writer.append(block: entry.end.dropFirst(shared))
            writer.append(count: entry.record.count)
            writer.bytes.append(contentsOf: entry.record)
            before = entry.end
        }
        return writer.bytes
    }

    private func place(of end: ArraySlice<UInt8>) -> Int? {
        entries.firstIndex { $0.end == end }
    }

    /// The bytes of a record; nil if the row does not have it.
    subscript(end: ArraySlice<UInt8>) -> [UInt8]? { place(of: end).map { Array(entries[$0].record) } }

    /// Removes records. Returns true if there were any.
    mutating func remove(
        where isRemoved: ([UInt8]) throws(PersistenceError) -> Bool
    ) throws(PersistenceError) -> Bool {
        var kept: [Entry] = []
        for entry in entries where try !isRemoved(Array(entry.record)) { kept.append(entry) }
        defer { entries = kept }
        return kept.count < entries.count
    }

    /// Puts a record in, in place of the one that was there.
    mutating func put(_ record: ArraySlice<UInt8>, at end: ArraySlice<UInt8>) {
        if let place = place(of: end) {
            entries[place].record = record
        } else {
            entries.append(Entry(end: end, record: record))
        }
    }
}
