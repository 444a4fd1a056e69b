/// What a publish has done. Only one function takes it, which tells whom it concerns.
///
/// The compiler drops such a value without an error. So a debug build ends the program if nobody has told.
struct Landing: ~Copyable {
    /// The effect for the log.
    let summary: PublishSummary
    /// The readers of changed fields, in the order of their subscriptions; empty if nothing landed.
    let subscribers: [any StoreSubscriber]
    /// The layers that have failed in this publish.
    let failures: [LayerReplay.Failure]
    /// True if records, types, operations or the store became invalid.
    let invalidates: Bool
    /// True if layers did not run although the records below them changed.
    let hasStaleLayers: Bool
    /// Replaced layers and checks. They may be the last holders of objects of the application, so that they are freed
    /// while no lock is held.
    private let retired: PublishEffect?
    #if DEBUG
        private var isTold = false
    #endif

    /// A publish that landed.
    init(_ summary: PublishSummary, _ effect: PublishEffect, for subscribers: [any StoreSubscriber]) {
        self.summary = summary
        self.subscribers = subscribers
        failures = effect.failures
        invalidates = effect.changes.invalidates
        hasStaleLayers = effect.hasStaleLayers
        retired = effect
    }

    /// A publish that has replaced all records.
    init(ofEverything summary: PublishSummary, for subscribers: [any StoreSubscriber]) {
        (self.summary, self.subscribers) = (summary, subscribers)
        (failures, invalidates, hasStaleLayers, retired) = ([], true, false, nil)
    }

    /// A publish that did not land, because the store was emptied since the work began.
    init(refusedAt epoch: Epoch) {
        var summary = PublishSummary(epoch: epoch, recordsWritten: 0, recordsChanged: 0, subscriptionsAffected: 0)
        summary.isLanded = false
        self.summary = summary
        (subscribers, failures, invalidates, hasStaleLayers, retired) = ([], [], false, false, nil)
    }

    /// Notes that the one who has the landing tells of it now.
    mutating func noteTelling() {
        #if DEBUG
            isTold = true
        #endif
    }

    #if DEBUG
        deinit { precondition(isTold, "a publish was told to nobody") }
    #endif
}
