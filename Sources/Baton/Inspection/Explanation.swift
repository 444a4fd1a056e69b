/// What the store knows of how a record, or one field of it, came to be what it is.
public struct Explanation: Sendable, Hashable {
    /// One publish.
    public struct Write: Sendable, Hashable {
        /// Who made it.
        public enum Source: Sendable, Hashable {
            /// The answer of an operation, with the number of its request; 0 if it had none.
            case answer(operationName: String, kind: OperationKind, request: Int)
            /// A local update.
            case update
            /// An optimistic change.
            case optimistic
            /// The end of an optimistic change.
            case revert
            /// An invalidation.
            case invalidation
            /// Missing-field handlers.
            case missingFieldHandlers
            /// A snapshot that was restored.
            case restore
            /// ``RelayEnvironment/reset()``.
            case reset
            /// Nothing held the record any more.
            case collection
            /// It was too long ago: ``StoreHistory/publishes`` says how many are kept.
            case forgotten
        }

        /// The number of the publish, as in ``PublishEvent/number``.
        public let version: Int
        /// When it was, since the environment was made; nil if that is forgotten.
        public let time: Duration?
        /// Who made it.
        public let source: Source
    }

    /// What the store knows of a record.
    public enum State: Sendable, Hashable {
        /// Nothing: no answer brought it, or it was collected.
        case unknown
        /// That it does not exist; links to it read as null.
        case deleted
        /// That it exists.
        case existing
    }

    /// What makes a record stale, and when it was done.
    public struct Invalidation: Sendable, Hashable {
        /// What was invalidated.
        public enum Target: Sendable, Hashable {
            /// Everything.
            case store
            /// This record.
            case record
            /// Its type, or an abstract type that it is of.
            case type
        }

        /// What was invalidated.
        public let target: Target
        /// The publish that did it.
        public let write: Write
    }

    /// The record.
    public let dataID: DataID
    /// The field with its arguments; nil if the question was about the whole record.
    public let storageKey: StorageKey?
    /// What is known of the record.
    public let state: State
    /// Its type; nil unless it exists.
    public let typename: TypeName?
    /// What the field holds, links as data IDs; nil if it is missing, or none was asked for.
    public let value: JSONValue?
    /// The publish that changed the field last, or the record if ``isFieldExact`` is false; nil if none ever did.
    public internal(set) var write: Write?
    /// True if ``write`` is known to be that of the field: with ``StoreHistory/fields`` it is, for what was written
    /// since.
    public let isFieldExact: Bool
    /// Whether the operation of ``write`` selects the field, on whatever object; nil if it is no answer, or no field
    /// was asked for.
    public let isSelectedByWriter: Bool?
    /// What makes it stale for those who fetched it before, the newest first.
    public let invalidations: [Invalidation]
    /// If the field is missing, those of the record that are nearest to it: the same field with other arguments, or
    /// else fields whose names are much alike.
    public internal(set) var nearestKeys: [StorageKey] = []
    /// If the store does not know the record, those that may be meant: the same `id` under another type or none, or
    /// identities that are spelled much like it.
    public internal(set) var nearestRecords: [DataID] = []
    /// If the record was collected, why nothing held it any more.
    public internal(set) var loss: Loss?
    /// The answer that said something of it and was left out, because what is there is newer.
    public internal(set) var lateAnswer: Write?
    /// True if the store knows so little of the record that it may have been collected long ago, with its name.
    public internal(set) var mayBeForgotten = false
}

extension Explanation.Write: CustomStringConvertible {
    /// `query 'Films' (request 3), version 12, at 4.5 seconds`
    public var description: String {
        guard source != .forgotten else { return "somebody (version \(version), which is no longer remembered)" }
        return "\(source) (version \(version)\(time.map { ", at \($0)" } ?? ""))"
    }
}

extension Explanation.Write.Source: CustomStringConvertible {
    /// Who wrote, as it reads in an explanation; one line for a person.
    public var description: String {
        switch self {
        case .answer(let name, let kind, let request):
            request > 0 ? "\(kind.rawValue) '\(name)', request \(request)" : "\(kind.rawValue) '\(name)'"
        case .update: "a local update"
        case .optimistic: "an optimistic change"
        case .revert: "the end of an optimistic change"
        case .invalidation: "an invalidation"
        case .missingFieldHandlers: "a missing-field handler"
        case .restore: "a restored snapshot"
        case .reset: "a reset"
        case .collection: "the collection of what nothing held any more"
        case .forgotten: "somebody"
        }
    }
}

extension Explanation: CustomStringConvertible {
    /// Plain sentences for a person.
    public var description: String {
        var sentences: [String] = []
        let record = typename.map { "\($0) '\(dataID)'" } ?? "'\(dataID)'"
        switch state {
        case .unknown:
            switch write?.source {
            case .collection?:
                sentences.append("The record \(record) was collected: no operation, handle or layer held it any more.")
            case .reset? where mayBeForgotten:
                sentences.append(
                    "The store does not know the record \(record): if there was one, it went with a reset and its name with it."
                )
            case .reset?: sentences.append("The record \(record) went with a reset.")
            case .revert?: sentences.append("The record \(record) was part of an optimistic change, which has ended.")
            case .restore?: sentences.append("The record \(record) is not in the snapshot that was restored.")
            case nil where mayBeForgotten:
                sentences.append(
                    "The store does not know the record \(record): nothing wrote it, or it was collected and its name given back."
                )
            case nil: sentences.append("No answer and no update ever wrote the record \(record).")
            default: sentences.append("The store does not hold the record \(record).")
            }
        case .deleted: sentences.append("The record \(record) is deleted; links to it read as null.")
        case .existing:
            if let storageKey {
                let held = value.map { "is \($0)" } ?? "is missing"
                sentences.append("The field '\(storageKey)' of \(record) \(held).")
            } else {
                sentences.append("The record \(record) exists.")
            }
        }
        if let write {
            let what =
                state == .deleted
                ? "It was deleted by"
                : state == .unknown
                    ? "It went by"
                    : storageKey != nil && isFieldExact
                        ? "The field was changed last by" : "The record was changed last by"
            var sentence = "\(what) \(write)"
            if isSelectedByWriter == false, value == nil, let storageKey {
                sentence += ", which does not select '\(storageKey.fieldName)'"
            }
            sentences.append(sentence + ".")
        }
        if let loss { sentences.append(loss.description) }
        if !nearestRecords.isEmpty {
            sentences.append("Near it: \(nearestRecords.map { "'\($0)'" }.joined(separator: ", ")).")
        }
        if !nearestKeys.isEmpty {
            let keys = nearestKeys.map { "'\($0)'" }.joined(separator: ", ")
            sentences.append("What it has that is nearest: \(keys).")
        }
        if let lateAnswer {
            sentences.append("Left out, because it was asked for earlier and what is there is newer: \(lateAnswer).")
        }
        for invalidation in invalidations {
            let what =
                switch invalidation.target {
                case .store: "Everything"
                case .record: "The record"
                case .type: "Its type"
                }
            sentences.append("\(what) was invalidated by \(invalidation.write).")
        }
        return sentences.joined(separator: " ")
    }
}
