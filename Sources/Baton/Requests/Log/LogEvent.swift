/// An event in an environment, reported to its log.
///
/// In a debug build an environment without a log writes events that are mistakes (``isMistake``) to standard error.
///
/// Texts of a server stand in events without the credentials of the request. `***` replaces the values of the header
/// fields that the network and the caller gave it, and the values in the payload of its socket. Descriptions cut such
/// texts to a length.
///
/// The log hook is called synchronously on the thread of the event while no lock is held. The hook should be quick; it
/// may use the environment.
public enum LogEvent: Sendable {
    /// A request is sent.
    case fetchStarted(LogEvent.Fetch)
    /// A request in flight is shared with a further handle or caller.
    case fetchShared(LogEvent.Fetch)
    /// The last payload of a request is in the store; `errors` came with it.
    case fetchFinished(LogEvent.Fetch, errors: [GraphQLError])
    /// A request failed; the payloads that had landed before stay in the store.
    case fetchFailed(LogEvent.Fetch, RelayError)
    /// A request was cancelled because nobody waits for it any more.
    case fetchCancelled(LogEvent.Fetch)
    /// A live handle fetches again by itself. The event of its request follows.
    case refreshed(LogEvent.Refresh)
    /// The store was checked for the data of an operation.
    case checked(LogEvent.Check)
    /// A change was written into the store.
    case published(LogEvent.Publish)
    /// The body of an observer has run.
    case delivered(LogEvent.Delivery)
    /// ``RelayEnvironment/track(_:)`` drew a frame, and the ``TrackedChange`` was released before it was used. So the
    /// frame is never drawn again.
    case changeDropped(LogEvent.DroppedChange)
    /// The program uses Baton in a way that has no effect, or that draws without end. Reported once for each place.
    case misuse(LogEvent.Misuse)
    /// A read found a field missing in the store.
    case missingData(LogEvent.MissingData)
    /// A read found a field with `@required(action: LOG)` null or missing.
    case missingRequiredField(LogEvent.MissingRequiredField)
    /// A read has failed, because the result is larger than ``StoreOptions/resultSize``.
    case resultTooLarge(LogEvent.ResultTooLarge)
    /// A collection has removed records that nothing needs any more.
    case collected(LogEvent.Collection)
    /// The environment opened, read or wrote its file, or failed to.
    case persistence(LogEvent.Persistence)
    /// A response gives a record another type than before, or than at another place of the same response. The last type
    /// counts.
    case typeChanged(LogEvent.TypeChange)
    /// A response breaks a specification but was read. The event describes how it was read.
    case irregularResponse(LogEvent.IrregularResponse)
    /// An update or an invalidation names a record, or an update names a field, that does not exist. It is a mistake if
    /// similar names exist.
    case unknownName(LogEvent.UnknownName)
    /// An update threw, so none of its changes landed.
    case updateFailed(LogEvent.UpdateFailure)
    /// The reader of a sequence of events is too slow, so a response was dropped from the sequence. Its data is in the
    /// store.
    case eventDropped(LogEvent.DroppedEvent)
    /// The connection of a subscription was lost or paused, and is there again. Events in between are lost.
    case subscriptionRestored(LogEvent.Fetch)
    /// Generated code was made from another text than the source now has. Only debug builds compare the texts, once for
    /// each operation, before its first request or check.
    case staleGeneratedCode(LogEvent.StaleGeneratedCode)
}
