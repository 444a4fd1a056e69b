/// The records below the roots of mutations and events that the file has, because other records lead to them.
final class DiskCalls: Sendable {
    private let kept = Guarded<Set<RecordID>>([])
    private static let prefixes = [OperationKind.mutation, .subscription].map {
        Array("\(DataID.root.rawValue):\($0.rawValue):".utf8)
    }

    /// Returns true for the root of a mutation or an event, and for what lies below one.
    static func isBelow(_ identity: [UInt8]) -> Bool {
        // Nearly every identity differs from the prefixes in its first byte.
        guard identity.first == prefixes[0].first else { return false }
        return prefixes.contains { prefix in
            identity.starts(with: prefix) && identity.dropFirst(prefix.count).first?.isDigit == true
        }
    }

    func isKept(_ record: RecordID) -> Bool { kept.withLock { $0.contains(record) } }

    /// Returns true if the record was not kept before.
    func keep(_ record: RecordID) -> Bool { kept.withLock { $0.insert(record).inserted } }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
