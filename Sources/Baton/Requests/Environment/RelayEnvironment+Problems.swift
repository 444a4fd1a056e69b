/// A log event: a record's type has changed, usually because two objects of different types have the same ID.
public struct TypeChangeEvent: Sendable, Hashable {
    /// The record.
    public let dataID: DataID
    /// The earlier type of the record. If it was the type before the answer, its fields are gone. If the answer itself
    /// gave it at an earlier place, its fields stay.
    public let oldType: TypeName
    /// The record's current type.
    public let newType: TypeName
    /// The number of the publish that changed the type, as in ``PublishEvent/number``.
    public let publish: Int
}

/// A log event: an answer breaks a specification but was read.
public struct IrregularAnswerEvent: Sendable, Hashable {
    /// The operation's name as the document spells it.
    public let operationName: String
    /// The number of the request, as in ``NetworkRequest/id``.
    public let request: Int
    /// The irregularities of the answer.
    public let irregularities: [AnswerIrregularity]
}

/// A log event: an update threw.
public struct UpdateFailureEvent: Sendable {
    /// The source of the update.
    public let source: PublishEvent.Source
    /// The error that the update threw.
    public let error: any Error
    /// True if the store refused a change; false if the application's code failed.
    public var isRefused: Bool { error is UpdateError }
}

/// A log event, once for each read: a required field has no value.
public struct MissingRequiredFieldEvent: Sendable, Hashable {
    /// The name of the operation or fragment whose document requires the field.
    public let component: String
    /// The path of the field, from the root of the operation or fragment.
    public let path: [PathComponent]
    /// The name of the operation that fetched the data.
    public let operationName: String
}

/// A log event, once for each read: the result is larger than the store allows.
public struct ResultTooLargeEvent: Sendable, Hashable {
    /// The name of the operation or fragment.
    public let component: String
    /// The greatest size in bytes: ``StoreOptions/resultSize``.
    public let limit: Int
    /// The name of the operation that fetched the data.
    public let operationName: String
}

extension RelayEnvironment {
    /// Reports to the log the required fields without a value that a read found, and a result that is too large.
    func report(_ problems: ReadProblems?, of operation: BoundOperation) {
        guard let problems, isLogging else { return }
        if case .resultTooLarge(let component, let limit)? = problems.failure {
            emit(
                .resultTooLarge(
                    ResultTooLargeEvent(component: component, limit: limit, operationName: operation.artifact.name)))
        }
        for error in problems.logged {
            emit(
                .missingRequiredField(
                    MissingRequiredFieldEvent(
                        component: error.component, path: error.path, operationName: operation.artifact.name)))
        }
    }
}
