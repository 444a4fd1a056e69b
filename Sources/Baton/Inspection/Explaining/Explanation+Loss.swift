extension Explanation {
    /// The reason why a record was collected: nothing held it any more.
    public struct Loss: Sendable, Hashable {
        /// The reason why the operation that brought the record does not hold it.
        public enum Reason: Sendable, Hashable {
            /// The last holder of the operation released it, and the operation does not stay in the release buffer.
            case released
            /// The operation was in the release buffer, and later releases pushed it out:
            /// ``StoreOptions/releaseBufferSize``.
            case bufferWasFull
            /// The operation's time in the release buffer was over: ``StoreOptions/expiration``.
            case expired
            /// The operation was in the release buffer until its memory was needed: ``StoreOptions/memoryBudget``.
            case memoryBudget
            /// The operation is held, but no longer leads to the record, because a response or an update has changed a
            /// link or a list.
            case noLongerReached
            /// No operation is known to have held the record.
            case neverHeld
        }

        /// The last write of the record.
        public let lastWrite: Write
        /// The reason why the operation does not hold the record.
        public let reason: Reason
        /// The name of the operation; nil if no operation is known.
        public let operationName: String?
        /// The operation's variables; nil if no operation is known.
        public let variables: JSONValue?
        /// True if the operation wrote the record last. If false, the operation is the one that was released last,
        /// which may have held the record.
        public let isWriter: Bool
        /// The time at which the last holder released the operation, since the environment was made.
        public let releasedAt: Duration?
        /// The time at which the store stopped keeping the operation. It is later than `releasedAt` if the operation
        /// was in the release buffer.
        public let endedAt: Duration?
    }
}

extension Explanation.Loss: CustomStringConvertible {
    /// The loss in sentences for a person.
    public var description: String {
        var sentences = ["It was written last by \(lastWrite)."]
        guard let operationName, let variables else { return sentences[0] + " No operation is known to have held it." }
        let operation = "'\(operationName)' with \(variables)"
        if !isWriter { sentences.append("The query that was let go last, and may have held it, is \(operation).") }
        let subject = isWriter ? "Query \(operation)" : "It"
        let time = releasedAt.map { " at \($0)" } ?? ""
        let end = endedAt.map { " at \($0)" } ?? ""
        switch reason {
        case .released: sentences.append("\(subject) was released\(time), and did not stay.")
        case .bufferWasFull:
            sentences.append("\(subject) was released\(time), and made room for others in the release buffer\(end).")
        case .expired: sentences.append("\(subject) was released\(time), and its time was over\(end).")
        case .memoryBudget: sentences.append("\(subject) was released\(time), and let go for the memory budget\(end).")
        case .noLongerReached: sentences.append("\(subject) is held, but does not lead to it any more.")
        case .neverHeld: break
        }
        return sentences.joined(separator: " ")
    }
}

extension Records {
    /// Returns the fields of a record that are most like a missing field; at most five. Fields with the same name and
    /// other arguments come first; without them, fields with similar names.
    func nearest(to key: StorageKey, of record: RecordID, _ names: NameTable) -> [StorageKey] {
        let wanted = Array(key.fieldName.utf8)
        let keys = shape(of: record).keys.map { StorageKey(names.name(of: $0)) }.filter { $0 != key }
        let same = keys.filter { Array($0.fieldName.utf8) == wanted }
        if !same.isEmpty { return Array(same.sorted { $0.rawValue < $1.rawValue }.prefix(5)) }
        let near = String(key.fieldName).nearest(in: keys.map { String($0.fieldName) })
        return Array(near.flatMap { name in keys.filter { $0.fieldName == name } }.prefix(5))
    }
}
