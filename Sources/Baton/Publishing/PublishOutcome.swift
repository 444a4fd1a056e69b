/// What became of a publish.
enum PublishOutcome {
    case landed(Landed)
    /// The store was emptied since the work began.
    case refused
    /// What an update read has changed since.
    case overtaken
}

/// What a publish did.
struct Landed {
    var changes: ChangeSet
    var epoch: Epoch
    /// Let go of outside every lock: they may be the last to hold objects of the application.
    var retired: [OptimisticLayer] = []
    var checks: [UpdateCheck?] = []
    var failures: [LayerReplay.Failure] = []
    /// Layers were left as they are although something has changed below them.
    var hasStaleLayers = false
    /// What of an answer came too late.
    var leftOut: [LeftOut] = []
}
