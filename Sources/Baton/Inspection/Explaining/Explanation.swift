/// Explains how a record, or one field of it, got its current state.
public struct Explanation: Sendable, Hashable {
    /// One publish.
    public struct Write: Sendable, Hashable {
        /// The cause of a publish.
        public enum Source: Sendable, Hashable {
            /// A response to an operation, with the number of its request; 0 if there was none.
            case response(operationName: String, kind: OperationKind, request: Int)
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
            /// ``RelayEnvironment/reset(refetching:)``.
            case reset
            /// A collection, which removed the record because nothing held it any more.
            case collection
            /// The file of the store, from which the record was read.
            case file
            /// The publish was too long ago. ``StoreOptions/History/publishes`` is the number of remembered publishes.
            case forgotten
        }

        /// The number of the publish, as in ``LogEvent/Publish/number``.
        public let version: Int
        /// The time of the publish, since the environment was made; nil if it is forgotten.
        public let time: Duration?
        /// The cause of the publish.
        public let source: Source
    }

    /// The store's knowledge of a record.
    public enum State: Sendable, Hashable {
        /// The store knows nothing of the record: no response brought it, or it was collected.
        case unknown
        /// The record is known not to exist; links to it read as null.
        case deleted
        /// The record exists.
        case existing
    }

    /// An invalidation that makes a record stale.
    public struct Invalidation: Sendable, Hashable {
        /// The target of an invalidation.
        public enum Target: Sendable, Hashable {
            /// The whole store.
            case store
            /// The record itself.
            case record
            /// The record's type, or an abstract type that it belongs to.
            case type
        }

        /// The target of the invalidation.
        public let target: Target
        /// The publish that made the invalidation.
        public let write: Write
    }

    /// The identity of the record.
    public let dataID: DataID
    /// The field with its arguments; nil if the question concerned the whole record.
    public let storageKey: StorageKey?
    /// The state of the record.
    public let state: State
    /// The record's type; nil unless the record exists.
    public let typename: TypeName?
    /// The field's value, with links as data IDs; nil if it is missing, or if the question concerned the whole record.
    public let value: JSONValue?
    /// The publish that last changed the field, or the record if ``isFieldExact`` is false; nil if there was none.
    public internal(set) var write: Write?
    /// True if ``write`` is known to have changed the field itself. This needs ``StoreOptions/History/fields``, and a
    /// write of the field since the history began.
    public let isFieldExact: Bool
    /// True if the operation of ``write`` selects the field, on whatever object. Nil if ``write`` is no response, or if
    /// the question concerned the whole record.
    public let isSelectedByWriter: Bool?
    /// The invalidations that make the record stale for operations that fetched it earlier; the newest first.
    public let invalidations: [Invalidation]
    /// The fields of the record that are most like a missing field: the same field with other arguments, or fields with
    /// similar names.
    public internal(set) var nearestKeys: [StorageKey] = []
    /// The records that are most like an unknown record: the same `id` under another type or none, or similar
    /// identities.
    public internal(set) var nearestRecords: [DataID] = []
    /// The reason for the collection of the record; nil if it was not collected.
    public internal(set) var loss: Loss?
    /// The late response whose data for this record was left out, because the store had newer data.
    public internal(set) var lateResponse: Write?
    /// True if the record may have been collected long ago, together with its name. The store then cannot tell it from
    /// an unknown record.
    public internal(set) var mayBeForgotten = false
}

extension Explanation.Write: CustomStringConvertible {
    /// Example: `query 'Films' (request 3), version 12, at 4.5 seconds`
    public var description: String {
        guard source != .forgotten else { return "somebody (version \(version), which is no longer remembered)" }
        return "\(source) (version \(version)\(time.map { ", at \($0)" } ?? ""))"
    }
}

extension Explanation.Write.Source: CustomStringConvertible {
    /// The cause as part of an explanation, in one line for a person.
    public var description: String {
        switch self {
        case .response(let name, let kind, let request):
            request > 0 ? "\(kind.rawValue) '\(name)', request \(request)" : "\(kind.rawValue) '\(name)'"
        case .update: "a local update"
        case .optimistic: "an optimistic change"
        case .revert: "the end of an optimistic change"
        case .invalidation: "an invalidation"
        case .missingFieldHandlers: "a missing-field handler"
        case .restore: "a restored snapshot"
        case .reset: "a reset"
        case .collection: "the collection of what nothing held any more"
        case .file: "the file of the store"
        case .forgotten: "somebody"
        }
    }
}

extension Explanation: CustomStringConvertible {
    /// The explanation in sentences for a person.
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
            case nil: sentences.append("No response and no update ever wrote the record \(record).")
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
        if let lateResponse {
            sentences.append("Left out, because it was asked for earlier and what is there is newer: \(lateResponse).")
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
