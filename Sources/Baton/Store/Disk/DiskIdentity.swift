/// The identity of a record in a file, which is the same in every process.
///
/// A text stands as its UTF-8. A place stands as the identity of its parent, followed by a zero byte and the storage
/// key, and for an item of a list by a byte of value 1 and the index in four bytes, the highest first. In texts and in
/// keys each byte below 3 is written as a byte of value 2 and the byte plus 48. So records that lie below one record
/// are neighbours in the order of the bytes.
package struct DiskIdentity: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Makes the identity of a place below a record with a text of its own.
    init(text: String, _ steps: [(key: String, index: UInt32)]) {
        var bytes: [UInt8] = []
        Self.append(text, to: &bytes)
        for (key, index) in steps { Self.append(key, index, to: &bytes) }
        self.bytes = bytes
    }

    fileprivate static func append(_ key: String, _ index: UInt32, to bytes: inout [UInt8]) {
        bytes.append(Self.key)
        append(key, to: &bytes)
        guard index != RecordNumbers.noIndex else { return }
        bytes.append(Self.index)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: index >> UInt32(shift))) }
    }

    fileprivate static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 { append(byte, to: &bytes) }
    }

    @inline(__always)
    fileprivate static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        if byte <= escape {
            bytes.append(escape)
            bytes.append(byte + shift)
        } else {
            bytes.append(byte)
        }
    }

    /// The byte before a storage key.
    package static let key: UInt8 = 0
    /// The byte before the index of an item.
    package static let index: UInt8 = 1
    fileprivate static let escape: UInt8 = 2
    fileprivate static let shift: UInt8 = 48
    /// The greatest number of places one below the other; no response has as many levels.
    fileprivate static let deepest = 1024
}

extension NameTable {
    /// Returns the identity of a record; nil for a free number.
    func diskIdentity(of record: RecordID) -> DiskIdentity? {
        var bytes: [UInt8] = []
        return append(identityOf: record, to: &bytes) == nil ? nil : DiskIdentity(bytes)
    }

    /// Adds the identity of a record to bytes, and returns the record with a text of its own below which it lies; nil
    /// for a free number.
    func append(identityOf record: RecordID, to bytes: inout [UInt8]) -> RecordID? {
        access { names in names.append(identityOf: record, to: &bytes) }
    }

    /// Returns the number of an identity, which is added if it is unknown; nil for bytes that are no identity.
    func record(_ identity: ArraySlice<UInt8>) -> RecordID? {
        guard let place = DiskPlace(identity) else { return nil }
        return access { names in
            guard var record = names.records.intern(Array(place.text.utf8)) else { return nil }
            for (key, index) in place.steps {
                record = names.records.intern(parent: record, key: names.key(key), index: index)
            }
            return record
        }
    }
}

extension NameTable.Names {
    fileprivate func append(identityOf record: RecordID, to bytes: inout [UInt8]) -> RecordID? {
        if records.forEachByte(ofText: record, { DiskIdentity.append($0, to: &bytes) }) { return record }
        var steps: [(key: StorageKeyID, index: UInt32)] = []
        var current = record
        while let place = records.place(of: current) {
            steps.append((place.key, place.index))
            current = place.parent
        }
        guard records.forEachByte(ofText: current, { DiskIdentity.append($0, to: &bytes) }) else { return nil }
        for (key, index) in steps.reversed() { DiskIdentity.append(keys.text(of: key), index, to: &bytes) }
        return current
    }
}

/// The parts of an identity.
private struct DiskPlace {
    let text: String
    private(set) var steps: [(key: String, index: UInt32)] = []

    /// Reads an identity; nil if the bytes are none.
    init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let text = Self.text(&rest) else { return nil }
        self.text = text
        while let first = rest.popFirst() {
            guard first == DiskIdentity.key, let key = Self.text(&rest), steps.count < DiskIdentity.deepest else {
                return nil
            }
            var index = RecordNumbers.noIndex
            if rest.first == DiskIdentity.index {
                guard rest.count >= 5 else { return nil }
                index = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
                guard index != RecordNumbers.noIndex else { return nil }
                rest = rest.dropFirst(5)
            }
            steps.append((key, index))
        }
    }

    /// Takes a text up to the next byte that ends it.
    private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.first, byte >= DiskIdentity.escape {
            rest.removeFirst()
            guard byte == DiskIdentity.escape else {
                bytes.append(byte)
                continue
            }
            guard let escaped = rest.popFirst(), escaped >= DiskIdentity.shift,
                escaped <= DiskIdentity.shift + DiskIdentity.escape
            else { return nil }
            bytes.append(escaped - DiskIdentity.shift)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
