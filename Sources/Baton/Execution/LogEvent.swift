/// Something that happened in an environment, told to its log as it happens.
///
/// The hook is called synchronously on the thread on which it happened, outside every lock. It should be quick; it may
/// use the environment.
public enum LogEvent: Sendable {
    /// A request goes out.
    case fetchStarted(FetchEvent)
    /// Somebody asked for what a request in flight will bring, and waits for that.
    case fetchShared(FetchEvent)
    /// The last answer of a request is in the store; `errors` are those that it brought along.
    case fetchFinished(FetchEvent, errors: [GraphQLError])
    /// A request brought nothing, and the store is as it was.
    case fetchFailed(FetchEvent, RelayError)
    /// A request was given up because nobody waits for it any more.
    case fetchCancelled(FetchEvent)
    /// It was checked how much of an operation the store holds.
    case checked(CheckEvent)
    /// Something was written into the store.
    case published(PublishEvent)
    /// The body of an observer has run.
    case delivered(DeliveryEvent)
    /// A read found a field that the store does not hold.
    case missingData(MissingDataEvent)
    /// A read found that a field with `@required(action: LOG)` is null or missing.
    case missingRequiredField(MissingRequiredFieldEvent)
    /// Records that nothing needs any more were looked for and removed.
    case collected(CollectionEvent)
    /// An answer says of a record that it is of another type than before, or than elsewhere in the same answer; the
    /// last counts.
    case typeChanged(TypeChangeEvent)
    /// An answer is not in all as the specifications demand, and was read nevertheless; what was made of it is in the
    /// event.
    case irregularAnswer(IrregularAnswerEvent)
    /// An update names a field or a record that nobody knows, or an invalidation does a record, and others are spelled
    /// much like it.
    case unknownName(UnknownNameEvent)
    /// An update threw, so nothing of it landed.
    case updateFailed(UpdateFailureEvent)
    /// Generated code was made from another text than the source holds now; only debug builds look, once for each
    /// operation, on a thread of their own.
    case staleGeneratedCode(StaleGeneratedCodeEvent)
}

/// One request, for the log.
public struct FetchEvent: Sendable {
    /// The number of the request, as in ``NetworkRequest/id``.
    public let request: Int
    /// The operation's name as the document spells it.
    public let operationName: String
    /// Query, mutation or subscription.
    public let kind: OperationKind
    /// The fetch key of the first who asked, as text; nil if it had none.
    public let fetchKey: String?
    /// The policy of the first who asked; nil for mutations and subscriptions.
    public let policy: FetchPolicy?
    /// The time since the request began, on the environment's clock.
    public let duration: Duration
}

/// How much of an operation the store held, for the log.
public struct CheckEvent: Sendable {
    /// What a check can find.
    public enum Finding: Sendable, Hashable {
        /// All of it, valid.
        case available
        /// Invalidated since it was fetched, or older than its age limit.
        case stale
        /// Not all of it; where the first field is that is missing.
        case missing(FieldLocation)
    }

    /// The operation's name as the document spells it.
    public let operationName: String
    /// What was found.
    public let finding: Finding
    /// Why it is stale, if it is.
    public let staleness: Staleness?
    /// When the oldest of what is available was fetched, on the environment's clock.
    public let oldestFetch: Duration?
}

/// Why data that is all there is not valid.
public enum Staleness: Sendable, Hashable {
    /// Everything was invalidated since it was fetched.
    case storeInvalidated
    /// The operation was, alone or with all of its query.
    case operationInvalidated
    /// A record that it reads was.
    case recordInvalidated(DataID)
    /// All records of a type were, one of which it reads.
    case typeInvalidated(TypeName, DataID)
    /// A field is older than its limit; without a place, something that the operation reads is older than the limit of
    /// the operation.
    case tooOld(FieldLocation?, age: Duration, limit: Duration)
}

/// What a publish did, for the log.
///
/// The components that were drawn again because of it are the ``LogEvent/delivered(_:)`` events whose
/// ``DeliveryEvent/publish`` is this `number`.
public struct PublishEvent: Sendable, Hashable {
    /// What was published.
    public enum Source: Sendable, Hashable {
        /// The answer of a request: the operation's name and the number of the request; 0 for a payload that was
        /// published without one.
        case answer(operationName: String, request: Int)
        /// A local update.
        case update
        /// An optimistic change was shown, of a mutation or, if the name is nil, of
        /// ``RelayEnvironment/applyUpdate(_:)``.
        case optimistic(operationName: String?)
        /// An optimistic change was taken back without an answer.
        case revert(operationName: String?)
        /// An invalidation.
        case invalidation
        /// Everything was removed by ``RelayEnvironment/reset()``.
        case reset
        /// What missing-field handlers found.
        case missingFieldHandlers
        /// A snapshot that was restored.
        case restore
    }

    /// Names the publish within its environment; grows.
    public let number: Int
    /// What was published.
    public let source: Source
    /// Records that the answer or update brought, changed or not.
    public let recordsWritten: Int
    /// Records of which at least one field is different now, that are new, or that were deleted.
    public let recordsChanged: Int
    /// Handles that read something of a record that changed.
    public let componentsChecked: Int
    /// Handles that read something that changed.
    public let componentsNotified: Int
    /// The time that it took until the change could be read, updaters included, on the environment's clock.
    public let duration: Duration
    /// The time that it took before to read the answer beside the store, on the environment's clock; nil for what is no
    /// answer.
    public let normalizing: Duration?
}

/// An observer that was told something, for the log.
public struct DeliveryEvent: Sendable, Hashable {
    /// Why an observer was told.
    public enum Cause: Sendable, Hashable {
        /// It has just begun to observe, and gets the current state.
        case registration
        /// What it reads changed in the store, or the data that it waited for has come.
        case storeChange
        /// The handle was asked for something else, a request began or ended, or the fragment has a new reference.
        case handle
    }

    /// The name of the operation or fragment that the handle holds.
    public let component: String
    /// Why.
    public let cause: Cause
    /// The number of the publish that changed or brought what the handle reads; nil for the other causes. Of several,
    /// the last.
    public let publish: Int?
}

/// A component that got less than it asked for, for the log.
public struct MissingDataEvent: Sendable, Hashable {
    /// The name of the operation or fragment that was read.
    public let component: String
    /// The operation that fetched the data.
    public let operationName: String
    /// Where the first field is that is missing.
    public let location: FieldLocation
}
