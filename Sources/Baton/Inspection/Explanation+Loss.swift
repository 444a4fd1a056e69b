extension Explanation {
    /// Why nothing held a record any more that was collected.
    public struct Loss: Sendable, Hashable {
        /// Why the operation that brought the record does not hold it.
        public enum Reason: Sendable, Hashable {
            /// The last who held the operation let go, and it does not stay in the release buffer.
            case released
            /// It was in the release buffer, and others were released after it: ``StoreOptions/releaseBufferSize``.
            case bufferWasFull
            /// It was in the release buffer until its time was over: ``StoreOptions/expiration``.
            case expired
            /// It was in the release buffer until the memory was needed: ``StoreOptions/memoryBudget``.
            case memoryBudget
            /// It is held, but does not lead to the record any more: an answer or an update has changed a link or a
            /// list.
            case noLongerReached
            /// No operation is known to have held it.
            case neverHeld
        }

        /// Who wrote the record last.
        public let lastWrite: Write
        /// Why the operation does not hold it.
        public let reason: Reason
        /// The operation; nil if none is known.
        public let operationName: String?
        /// The variables of the operation; nil if none is known.
        public let variables: JSONValue?
        /// True if the operation wrote the record last; otherwise it is the one that was let go last, and may have held
        /// it.
        public let isWriter: Bool
        /// When the last who held the operation let go, since the environment was made.
        public let releasedAt: Duration?
        /// When the store kept the operation no longer; later than `releasedAt` if it was in the release buffer.
        public let endedAt: Duration?
    }
}

extension Explanation.Loss: CustomStringConvertible {
    /// Plain sentences for a person.
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
    /// The fields of a record that are nearest to one that is missing: the same with other arguments, or else those
    /// whose names are much alike. At most five.
    func nearest(to key: StorageKey, of record: RecordID, _ names: NameTable) -> [StorageKey] {
        let wanted = Array(key.fieldName.utf8)
        let keys = shape(of: record).keys.map { StorageKey(names.name(of: $0)) }.filter { $0 != key }
        let same = keys.filter { Array($0.fieldName.utf8) == wanted }
        if !same.isEmpty { return Array(same.sorted { $0.rawValue < $1.rawValue }.prefix(5)) }
        let near = String(key.fieldName).nearest(in: keys.map { String($0.fieldName) })
        return Array(near.flatMap { name in keys.filter { $0.fieldName == name } }.prefix(5))
    }
}
