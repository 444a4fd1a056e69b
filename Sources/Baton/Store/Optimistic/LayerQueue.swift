/// The layers that wait to run: the lowest first, each once.
struct LayerQueue {
    /// A binary heap: the parent of a layer is below it.
    private var heap: [LayerID] = []
    private var known: Set<LayerID> = []

    var first: LayerID? { heap.first }

    mutating func insert(_ id: LayerID) {
        guard known.insert(id).inserted else { return }
        heap.append(id)
        var place = heap.count - 1
        while place > 0, heap[place] < heap[(place - 1) / 2] {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes the lowest layer; it can be inserted again.
    mutating func removeFirst() {
        guard let last = heap.popLast() else { return }
        known.remove(heap.first ?? last)
        guard !heap.isEmpty else { return }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
