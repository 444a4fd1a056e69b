/// Requests that wait for one of a limited number of places. The most urgent request goes first, and equally urgent
/// ones go in their order.
///
/// This value has no tasks: it names the request that may go, and its owner resumes that request.
struct RequestLine: Sendable {
    private struct Waiting {
        let id: Int
        let priority: Int
    }

    private let places: Int
    private(set) var taken = 0
    /// The waiting requests in ascending order; the next one to go stands last.
    private var waiting: [Waiting] = []

    init(places: Int) { self.places = max(places, 1) }

    var count: Int { waiting.count }

    /// Returns true if the request may go at once; otherwise it waits.
    mutating func enter(_ id: Int, priority: Int) -> Bool {
        if taken < places {
            taken += 1
            return true
        }
        // All requests before the position are less urgent.
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].priority < priority { low = middle + 1 } else { high = middle }
        }
        waiting.insert(Waiting(id: id, priority: priority), at: low)
        return false
    }

    /// Gives a place back, and returns the request that goes next.
    mutating func leave() -> Int? {
        if let next = waiting.popLast() { return next.id }
        taken -= 1
        return nil
    }

    /// Removes a waiting request; returns false if the request does not wait.
    mutating func giveUp(_ id: Int) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }
}
