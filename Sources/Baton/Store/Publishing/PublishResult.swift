/// The result of an attempt to land a publication in one turn.
enum PublishResult {
    case published(PublishEffect)
    /// Nothing landed, because the store was emptied since the work began.
    case refused
    /// Nothing landed, because the data that the update read has changed since.
    case overtaken
}

/// What has become of a publication in one turn.
enum TurnResult {
    case ended(PublishResult)
    /// Nothing has landed yet, because layers have to run while no lock is held.
    case layersMustRun
}

/// The effect of a publish that landed.
struct PublishEffect {
    var changes: ChangeSet
    var epoch: Epoch
    /// The replaced and dropped layers. They are freed while no lock is held, because they may be the last holders of
    /// objects of the application.
    var retired: [Layer] = []
    var checks: [UpdateCheck?] = []
    var failures: [LayerReplay.Failure] = []
    /// True if layers did not run although the records below them changed.
    var hasStaleLayers = false
    /// The records and fields of a response that came too late.
    var leftOut: [LeftOut] = []
}
