/// An event in an environment, reported to its log.
///
/// In a debug build an environment without a log writes events that are mistakes (``isMistake``) to standard error.
///
/// What a server wrote is in an event without the values of the credentials of its request, which are the header fields
/// that the network and the caller gave it, and the payload of its socket; `***` stands for them. Descriptions cut it to
/// a length.
///
/// The log hook is called synchronously on the thread of the event while no lock is held. The hook should be quick; it
/// may use the environment.
public enum LogEvent: Sendable {
    /// A request is sent.
    case fetchStarted(FetchEvent)
    /// A request in flight is shared with a further handle or caller.
    case fetchShared(FetchEvent)
    /// The last answer of a request is in the store; `errors` came with it.
    case fetchFinished(FetchEvent, errors: [GraphQLError])
    /// A request failed, and the store is as it was.
    case fetchFailed(FetchEvent, RelayError)
    /// A request was cancelled because nobody waits for it any more.
    case fetchCancelled(FetchEvent)
    /// A live handle fetches again by itself. The event of its request follows.
    case refreshed(RefreshEvent)
    /// The store was checked for the data of an operation.
    case checked(CheckEvent)
    /// A change was written into the store.
    case published(PublishEvent)
    /// The body of an observer has run.
    case delivered(DeliveryEvent)
    /// A frame was drawn by ``RelayEnvironment/track(_:)``, and its ``TrackedChange`` was released before anybody used
    /// it. So the frame is never drawn again.
    case changeDropped(DroppedChangeEvent)
    /// A read found a field missing in the store.
    case missingData(MissingDataEvent)
    /// A read found a field with `@required(action: LOG)` null or missing.
    case missingRequiredField(MissingRequiredFieldEvent)
    /// A read has failed, because the result is larger than ``StoreOptions/resultSize``.
    case resultTooLarge(ResultTooLargeEvent)
    /// A collection has removed records that nothing needs any more.
    case collected(CollectionEvent)
    /// An answer gives a record another type than before, or than elsewhere in the same answer. The last type counts.
    case typeChanged(TypeChangeEvent)
    /// An answer breaks a specification but was read; the event says how it was read.
    case irregularAnswer(IrregularAnswerEvent)
    /// An update or an invalidation names a record, or an update names a field, that does not exist, while similar
    /// names exist.
    case unknownName(UnknownNameEvent)
    /// An update threw, so none of its changes landed.
    case updateFailed(UpdateFailureEvent)
    /// The reader of a sequence of events is too slow, so a response was dropped from the sequence. Its data is in the
    /// store.
    case eventDropped(DroppedEvent)
    /// Generated code was made from another text than the source now has. Only debug builds compare the texts, once for
    /// each operation, in the background.
    case staleGeneratedCode(StaleGeneratedCodeEvent)
}

/// A response that was dropped from a sequence of events, for the log.
public struct DroppedEvent: Sendable, Hashable {
    /// The subscription's name as the document spells it.
    public let operationName: String
}

/// A request, for the log.
public struct FetchEvent: Sendable {
    /// The number of the request, as in ``NetworkRequest/id``.
    public let request: Int
    /// The operation's name as the document spells it.
    public let operationName: String
    /// Query, mutation or subscription.
    public let kind: OperationKind
    /// The fetch key of the first handle or caller, as text; nil if there was none.
    public let fetchKey: String?
    /// The policy of the first handle or caller; nil for mutations and subscriptions.
    public let policy: FetchPolicy?
    /// The time since the request began, on the environment's clock.
    public let duration: Duration
}

/// A fetch that no caller has asked for, for the log.
public struct RefreshEvent: Sendable, Hashable {
    /// What has made the handle fetch again.
    public enum Cause: Sendable, Hashable {
        /// The shown data was invalidated.
        case invalidation
        /// A field that the last answer had brought is missing.
        case missingData
        /// The application has said that the network can be reached again.
        case networkReturned
        /// The application has said that the user looks at it again.
        case applicationReturned
        /// The interval of `poll(every:)` is over.
        case poll
    }

    /// The operation's name as the document spells it.
    public let operationName: String
    /// What has made the handle fetch again.
    public let cause: Cause
}

/// The result of a check of the store, for the log.
public struct CheckEvent: Sendable {
    /// The result of a check.
    public enum Finding: Sendable, Hashable {
        /// The store holds all of the operation's data, and all is valid.
        case available
        /// The store holds all of the data, but a part was invalidated after its fetch or is older than its age limit.
        case stale
        /// The store lacks a part; with the place of the first missing field.
        case missing(FieldLocation)
    }

    /// The operation's name as the document spells it.
    public let operationName: String
    /// The result of the check.
    public let finding: Finding
    /// The reason why the data is stale; nil if it is not.
    public let staleness: Staleness?
    /// The fetch time of the oldest part of available data, on the environment's clock.
    public let oldestFetch: Duration?
}

/// The reason why complete data is not valid.
public enum Staleness: Sendable, Hashable {
    /// The whole store was invalidated after the fetch.
    case storeInvalidated
    /// The operation was invalidated: by itself, or together with every operation of its query.
    case operationInvalidated
    /// A record that the operation reads was invalidated.
    case recordInvalidated(DataID)
    /// All records of a type were invalidated; the operation reads this one.
    case typeInvalidated(TypeName, DataID)
    /// Data is older than its limit. The place is that of the field with the limit; nil for the limit of the whole
    /// operation.
    case tooOld(FieldLocation?, age: Duration, limit: Duration)
}

/// The effect of a publish, for the log.
///
/// The components that were drawn again because of the publish have ``LogEvent/delivered(_:)`` events whose
/// ``DeliveryEvent/publish`` is this `number`.
public struct PublishEvent: Sendable, Hashable {
    /// The cause of a publish.
    public enum Source: Sendable, Hashable {
        /// An answer, with the operation's name and the number of the request; 0 for a payload that was published
        /// without a request.
        case answer(operationName: String, request: Int)
        /// A local update.
        case update
        /// An optimistic change was applied: that of a mutation, or of ``RelayEnvironment/applyUpdate(_:)`` if the name
        /// is nil.
        case optimistic(operationName: String?)
        /// An optimistic change was reverted without an answer.
        case revert(operationName: String?)
        /// An invalidation.
        case invalidation
        /// Everything was removed by ``RelayEnvironment/reset(refetching:)``.
        case reset
        /// Values that missing-field handlers found.
        case missingFieldHandlers
        /// A snapshot that was restored.
        case restore
    }

    /// The number of the publish; it grows within an environment.
    public let number: Int
    /// The cause of the publish.
    public let source: Source
    /// The number of records that the answer or update brought, changed or not.
    public let recordsWritten: Int
    /// The number of records that are new, were deleted, or have at least one changed field.
    public let recordsChanged: Int
    /// The number of reads of changed records by handles. A handle counts once for each changed record and selection
    /// set.
    public let componentsChecked: Int
    /// The number of handles that read a changed field.
    public let componentsNotified: Int
    /// The time until the change could be read, updaters included, on the environment's clock.
    public let duration: Duration
    /// The time of normalizing the answer before the publish, on the environment's clock; nil if there is no answer.
    public let normalizing: Duration?
}

/// A delivery to an observer, for the log.
public struct DeliveryEvent: Sendable, Hashable {
    /// The cause of a delivery.
    public enum Cause: Sendable, Hashable {
        /// The observer was registered and gets the current state.
        case registration
        /// Data that the handle reads changed in the store, or the awaited data has arrived.
        case storeChange
        /// The handle was asked for other data, a request began or ended, or the fragment has a new reference.
        case handle
    }

    /// The name of the operation or fragment that the handle holds.
    public let component: String
    /// The cause of the delivery.
    public let cause: Cause
    /// The number of the last publish that changed or brought the handle's data; nil for the other causes.
    public let publish: Int?
}

/// A read that found less data than it selects, for the log.
public struct MissingDataEvent: Sendable, Hashable {
    /// The name of the operation or fragment that was read.
    public let component: String
    /// The name of the operation that fetched the data.
    public let operationName: String
    /// The place of the first missing field.
    public let location: FieldLocation
}
