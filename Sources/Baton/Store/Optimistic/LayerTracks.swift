/// The layers that read or write one record, by field.
struct LayerTracks: Sendable {
    private(set) var keys: [StorageKeyID] = []
    private var tracks: [LayerTrack] = []
    /// The positions of the keys; empty as long as there are few.
    private var places: [StorageKeyID: Int] = [:]
    private static let few = 16
    /// The sum of the writers of all fields.
    private(set) var writes = 0
    /// The version of the stack at the last change of these layers or of the record below them.
    var stamp: UInt64 = 0

    var isEmpty: Bool { keys.isEmpty }

    private func place(of key: StorageKeyID) -> Int? {
        keys.count > Self.few ? places[key] : keys.firstIndex(of: key)
    }

    subscript(key: StorageKeyID) -> LayerTrack? { place(of: key).map { tracks[$0] } }

    private mutating func placeAdding(_ key: StorageKeyID) -> Int {
        if let place = place(of: key) { return place }
        keys.append(key)
        tracks.append(LayerTrack())
        if keys.count == Self.few + 1 {
            places = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
        } else if keys.count > Self.few {
            places[key] = keys.count - 1
        }
        return keys.count - 1
    }

    private mutating func removeIfEmpty(_ place: Int) {
        guard tracks[place].isEmpty else { return }
        let last = keys.count - 1
        keys.swapAt(place, last)
        tracks.swapAt(place, last)
        let key = keys.removeLast()
        tracks.removeLast()
        guard !places.isEmpty else { return }
        places[key] = nil
        if keys.count <= Self.few {
            places = [:]
        } else if place < last {
            places[keys[place]] = place
        }
    }

    mutating func add(writer id: LayerID, of key: StorageKeyID) {
        if tracks[placeAdding(key)].writers.insert(layer: id) { writes += 1 }
    }

    mutating func add(reader id: LayerID, of key: StorageKeyID) {
        _ = tracks[placeAdding(key)].readers.insert(layer: id)
    }

    mutating func remove(writer id: LayerID, of key: StorageKeyID) {
        guard let place = place(of: key) else { return }
        if tracks[place].writers.remove(layer: id) { writes -= 1 }
        removeIfEmpty(place)
    }

    mutating func remove(reader id: LayerID, of key: StorageKeyID) {
        guard let place = place(of: key) else { return }
        _ = tracks[place].readers.remove(layer: id)
        removeIfEmpty(place)
    }
}

extension [LayerID] {
    /// Returns the position of the first layer that is not below a layer. Searches for the newest layers are fast.
    func firstPlace(notBelow id: LayerID) -> Int {
        guard let last, id <= last else { return count }
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the first layer above a layer.
    func first(above id: LayerID) -> LayerID? {
        let place = firstPlace(notBelow: LayerID(number: id.number &+ 1))
        return place < count ? self[place] : nil
    }

    mutating func insert(layer id: LayerID) -> Bool {
        let place = firstPlace(notBelow: id)
        if place < count, self[place] == id { return false }
        insert(id, at: place)
        return true
    }

    mutating func remove(layer id: LayerID) -> Bool {
        let place = firstPlace(notBelow: id)
        guard place < count, self[place] == id else { return false }
        remove(at: place)
        return true
    }
}

/// The layers that read or write one field, in order.
struct LayerTrack: Sendable {
    var writers: [LayerID] = []
    var readers: [LayerID] = []

    var isEmpty: Bool { writers.isEmpty && readers.isEmpty }
}
