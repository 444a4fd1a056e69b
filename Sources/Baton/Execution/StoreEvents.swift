/// A record whose type is another than before, for the log: mostly two objects of different types with the same ID.
public struct TypeChangeEvent: Sendable, Hashable {
    /// The record.
    public let dataID: DataID
    /// The type that it had before the answer, whose fields are gone, or that the answer gave it at an earlier place,
    /// whose fields stay.
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
