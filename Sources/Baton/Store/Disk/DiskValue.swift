/// The bytes of one value in a stored record. Identities in it are shortened by what they share with the identity of
/// the record, or in a list with the identity before.
enum DiskValue {
    enum Kind: UInt8 {
        case null = 0
        case no = 1
        case yes = 2
        case int = 3
        case double = 4
        case string = 5
        case link = 6
        case links = 7
        case list = 8
        case scalar = 9
    }

    /// The greatest depth of lists in lists.
    static let deepest = 512

    /// Moves over a value; returns false if the bytes are none.
    static func skip(_ reader: inout DiskReader, depth: Int = 0) -> Bool {
        guard let kind = reader.byte().flatMap(Kind.init) else { return false }
        switch kind {
        case .null, .no, .yes: return true
        case .int: return reader.number() != nil
        case .double: return reader.fixed() != nil
        case .string, .scalar: return reader.block() != nil
        case .link: return skipIdentity(&reader, mayBeNull: false)
        case .links:
            guard let count = reader.count() else { return false }
            for _ in 0..<count where !skipIdentity(&reader, mayBeNull: true) { return false }
            return true
        case .list:
            guard depth < deepest, let count = reader.count() else { return false }
            for _ in 0..<count where !skip(&reader, depth: depth + 1) { return false }
            return true
        }
    }

    private static func skipIdentity(_ reader: inout DiskReader, mayBeNull: Bool) -> Bool {
        guard let shared = reader.number() else { return false }
        return shared == 0 ? mayBeNull : reader.block() != nil
    }

    /// Reads a value of the record with this identity; nil if the bytes are none. `record` gives the numbers of
    /// identities.
    static func read(_ bytes: [UInt8], in own: [UInt8], _ record: (ArraySlice<UInt8>) -> RecordID?) -> Value? {
        var reader = DiskReader(bytes)
        guard let value = read(&reader, own, record, depth: 0), reader.isAtEnd else { return nil }
        return value
    }

    private static func read(
        _ reader: inout DiskReader, _ own: [UInt8], _ record: (ArraySlice<UInt8>) -> RecordID?, depth: Int
    ) -> Value? {
        guard let kind = reader.byte().flatMap(Kind.init) else { return nil }
        switch kind {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .int: return reader.signed().map { .int($0) }
        case .double: return reader.fixed().map { .double(Double(bitPattern: $0)) }
        case .string: return reader.text().map { .string($0) }
        case .link:
            var links = Links(before: own)
            guard let link = links.next(&reader, record), link != .none else { return nil }
            return .link(link)
        case .links:
            guard let count = reader.count() else { return nil }
            var links = Links(before: own)
            var records: [RecordID] = []
            records.reserveCapacity(count)
            for _ in 0..<count {
                guard let next = links.next(&reader, record) else { return nil }
                records.append(next)
            }
            return .links(records)
        case .list:
            guard depth < deepest, let count = reader.count() else { return nil }
            var values: [Value] = []
            for _ in 0..<count {
                guard let next = read(&reader, own, record, depth: depth + 1) else { return nil }
                values.append(next)
            }
            return .list(values)
        case .scalar:
            guard let block = reader.block(), let json = try? JSONValue.parse(Array(block)) else { return nil }
            return .scalar(ConvertedScalar(unconverted: json))
        }
    }

    /// Reads one identity after the other.
    private struct Links {
        /// The greatest length of all identities of a list together. A few bytes of a damaged file could otherwise
        /// stand for very long texts.
        private static let longest = 1 << 26

        private var before: [UInt8]
        private var left = longest

        init(before: [UInt8]) { self.before = before }

        /// Returns the number of the next identity, which is `none` for null; nil if the bytes are no identity.
        mutating func next(_ reader: inout DiskReader, _ record: (ArraySlice<UInt8>) -> RecordID?) -> RecordID? {
            guard let shared = reader.number() else { return nil }
            if shared == 0 { return RecordID.none }
            guard shared - 1 <= UInt64(before.count), let rest = reader.block() else { return nil }
            before.removeSubrange(Int(shared - 1)...)
            before.append(contentsOf: rest)
            left -= before.count
            return left < 0 ? nil : record(before[...])
        }
    }
}
