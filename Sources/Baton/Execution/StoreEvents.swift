/// Where a field is, for the log.
public struct FieldLocation: Sendable, Hashable {
    /// The response keys and list positions from the root of the operation or fragment.
    public let path: [PathComponent]
    /// The record that should hold the field, or that a link leads to and that the store does not know.
    public let dataID: DataID?
    /// The type of the record; nil if the store does not know the record.
    public let typename: TypeName?
    /// The key of the field with its arguments; nil if the whole record is missing.
    public let storageKey: StorageKey?

    /// Names a place; what is unknown is left out.
    public init(
        path: [PathComponent], dataID: DataID? = nil, typename: TypeName? = nil, storageKey: StorageKey? = nil
    ) {
        self.path = path
        self.dataID = dataID
        self.typename = typename
        self.storageKey = storageKey
    }
}

extension FieldLocation: CustomStringConvertible {
    /// `hero.friends[0].name (Human 1000, name)`
    public var description: String {
        var text = ""
        for component in path {
            switch component {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        let record = [typename?.rawValue, dataID?.rawValue].compactMap { $0 }.joined(separator: " ")
        let details = [record, storageKey?.rawValue ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        return details.isEmpty ? text : "\(text) (\(details))"
    }
}

/// A search for records that nothing needs any more, for the log.
public struct CollectionEvent: Sendable, Hashable {
    /// Why it was made.
    public enum Cause: Sendable, Hashable {
        /// An operation was released, or the time of one that was released is over.
        case release
        /// ``RelayEnvironment/collectGarbage()`` was called.
        case request
        /// The store has half as many records again as the last collection left.
        case growth
        /// The records need more memory than they may.
        case memoryBudget
    }

    /// Why it was made.
    public let cause: Cause
    /// Records that stay.
    public let recordsKept: Int
    /// Records that went.
    public let recordsCollected: Int
    /// Fields that went from records that stay: from the query root, and from records with very many fields with arguments.
    public let fieldsDropped: Int
    /// The number of slices in which it was made.
    public let slices: Int
    /// The time that the longest slice took, on the system's clock.
    public let longestSlice: Duration
    /// The time that all slices took together, on the system's clock.
    public let duration: Duration

    /// Puts together what a collection did; what is left out is that of one that took no time.
    package init(
        cause: Cause, recordsKept: Int, recordsCollected: Int, fieldsDropped: Int = 0, slices: Int = 1,
        longestSlice: Duration = .zero, duration: Duration = .zero
    ) {
        self.cause = cause
        self.recordsKept = recordsKept
        self.recordsCollected = recordsCollected
        self.fieldsDropped = fieldsDropped
        self.slices = slices
        self.longestSlice = longestSlice
        self.duration = duration
    }
}

/// A record whose type is another than before, for the log: mostly two objects of different types with the same ID.
public struct TypeChangeEvent: Sendable, Hashable {
    /// The record.
    public let dataID: DataID
    /// The type that it had before the answer, whose fields are gone, or that the answer gave it at an earlier place, whose fields stay.
    public let oldType: TypeName
    /// The type that it has now.
    public let newType: TypeName
    /// The number of the publish that changed it, as in ``PublishEvent/number``.
    public let publish: Int
}

/// An answer that is not in all as the specifications demand, for the log.
public struct IrregularAnswerEvent: Sendable, Hashable {
    /// The operation's name as the document spells it.
    public let operationName: String
    /// The number of the request, as in ``NetworkRequest/id``.
    public let request: Int
    /// What is odd about it.
    public let irregularities: [AnswerIrregularity]
}

/// An update that threw, for the log.
public struct UpdateFailureEvent: Sendable {
    /// What the update belongs to.
    public let source: PublishEvent.Source
    /// What it threw.
    public let error: any Error
    /// The store refused a change; otherwise the application's code failed.
    public var isRefused: Bool { error is UpdateError }
}

/// A field that should have a value and has none, for the log; once for each read.
public struct MissingRequiredFieldEvent: Sendable, Hashable {
    /// The operation or fragment whose document says that the field is required.
    public let component: String
    /// The field, from the root of the operation or fragment.
    public let path: [PathComponent]
    /// The operation that fetched the data.
    public let operationName: String
}

extension RelayEnvironment {
    /// Tells the log of required fields that a read found without a value.
    func report(_ problems: ReadProblems?, of operation: BoundOperation) {
        guard let problems, isLogging else { return }
        for error in problems.logged {
            emit(
                .missingRequiredField(
                    MissingRequiredFieldEvent(
                        component: error.component, path: error.path, operationName: operation.artifact.name)))
        }
    }
}
