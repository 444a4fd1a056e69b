/// A sorted list of layers, for `LayerStack`.
struct LayerOrder: Sendable, Equatable {
    private(set) var ids: [LayerID] = []

    var isEmpty: Bool { ids.isEmpty }
    mutating func insert(_ id: LayerID) { _ = ids.insert(layer: id) }
    mutating func remove(_ id: LayerID) { if !ids.isEmpty { _ = ids.remove(layer: id) } }
    func contains(_ id: LayerID) -> Bool {
        let place = ids.firstPlace(notBelow: id)
        return place < ids.count && ids[place] == id
    }
}
