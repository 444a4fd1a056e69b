/// The change of the layers in a publish.
enum LayerChange: Sendable {
    case none
    /// Adds a layer, or replaces the layer with its number.
    case put(Layer)
    /// Removes layers; missing layers are skipped.
    case drop([LayerID])
    /// Runs the layers that could not run when the data below them changed.
    case rerun
}
