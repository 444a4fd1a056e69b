/// The layers that read or write one field, in order.
struct LayerTrack: Sendable {
    var writers: [LayerID] = []
    var readers: [LayerID] = []

    var isEmpty: Bool { writers.isEmpty && readers.isEmpty }
}
