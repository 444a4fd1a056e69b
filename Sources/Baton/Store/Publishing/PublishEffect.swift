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
