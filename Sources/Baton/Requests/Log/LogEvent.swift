/// An event in an environment, reported to its log.
///
/// In a debug build an environment without a log writes events that are mistakes (``isMistake``) to standard error.
///
/// What a server wrote is in an event without the values of the credentials of its request, which are the header fields
/// that the network and the caller gave it, and the payload of its socket; `***` stands for them. Descriptions cut it
/// to a length.
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
