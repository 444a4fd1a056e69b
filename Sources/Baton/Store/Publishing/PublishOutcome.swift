/// The result of a publish.
enum PublishOutcome {
    case landed(Landed)
    /// Nothing landed, because the store was emptied since the work began.
    case refused
    /// Nothing landed, because the data that the update read has changed since.
    case overtaken
}

/// The effect of a publish that landed.
struct Landed {
    var changes: ChangeSet
    var epoch: Epoch
    /// The replaced and dropped layers, to be freed while no lock is held: they may be the last to hold objects of the
    /// application.
    var retired: [OptimisticLayer] = []
    var checks: [UpdateCheck?] = []
    var failures: [LayerReplay.Failure] = []
    /// True if layers did not run although something changed below them.
    var hasStaleLayers = false
    /// The parts of an answer that came too late.
    var leftOut: [LeftOut] = []
}
