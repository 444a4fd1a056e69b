/// The state that only one publish at a time may read or change. A ``PublishQueue`` gives the turn to one publish after
/// another.
struct PublishTurn: Sendable {
    /// The optimistic layers, in order.
    var layers = LayerStack()
    /// The notes of writes that are newer than queries in flight.
    var newer = NewerWrites()
    /// The lists that responses in parts go on with.
    var listsInStep = ListsInStep()
    /// The records. They change only during a turn.
    let newest: NewestRecords
    let names: NameTable
    /// The inbox of the collector, which keeps changes while a collection runs.
    let inbox: ChangeInbox
    let growth: GrowthCount
    let handlers: [FieldHandler]
    let updates: RunningUpdates
    /// The file under the store, and what it does not have yet; nil for most stores.
    let disk: StoreDisk?
    var unwritten: UnwrittenChanges?
    /// The records that must stay in memory for publishes to come, and for how many of them.
    var pins: [RecordID: Int] = [:]
    /// Called when something is to be written after nothing was.
    let writing: WriteSignal

    /// The newest version.
    var records: Records { newest.records }
    var epoch: Epoch { newest.epoch }

    /// Changes the newest version. Readers wait meanwhile.
    func change<Result>(_ body: (inout Records) -> sending Result) -> sending Result { newest.change(body) }
}
