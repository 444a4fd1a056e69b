/// The effect of a publish that landed.
struct Landed {
    var changes: ChangeSet
    var epoch: Epoch
    /// The replaced and dropped layers, to be freed while no lock is held: they may be the last to hold objects of the
    /// application.
    var retired: [Layer] = []
    var checks: [UpdateCheck?] = []
    var failures: [LayerReplay.Failure] = []
    /// True if layers did not run although something changed below them.
    var hasStaleLayers = false
    /// The parts of an answer that came too late.
    var leftOut: [LeftOut] = []
}
