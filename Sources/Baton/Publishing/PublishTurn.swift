/// What only one publish at a time may look at or change: a ``PublishQueue`` gives it to one after the other.
struct PublishTurn: Sendable {
    /// The optimistic layers, in order.
    var layers = LayerStack()
    /// What is newer than queries in flight.
    var newer = NewerWrites()
    /// The records, which change for those who have the turn alone.
    let newest: NewestRecords
    let names: NameTable
    /// What a collection under way has to hear of.
    let inbox: CollectionInbox
    let triggers: CollectionTriggers
    let handlers: [FieldHandler]
    let updates: RunningUpdates

    /// The newest version.
    var records: Records { newest.records }
    var epoch: Epoch { newest.epoch }

    /// Changes the newest version. Readers wait meanwhile.
    func change<Result>(_ body: (inout Records) -> sending Result) -> sending Result { newest.change(body) }
}

/// Who writes, for queries that are in flight at the time.
enum Writer: Sendable {
    /// An answer of a query: it leaves alone what was written after its request began.
    case query(request: Int?)
    /// A mutation, a subscription or an update: it is newer than what queries in flight will bring.
    case newer
    /// Nobody who says what a field is.
    case other
}
