/// The states of the nodes of a plan, each at a fixed address. So a read of a field neither moves memory nor counts
/// references. With objects and arrays a response would take a third longer (benchmark `ingest.vs-foundation`).
///
/// A node has a state for each type that it has met, up to a limit. Lists of an interface contain several types in turn
/// (benchmark `ingest.variants`).
final class NodeStates {
    typealias State = UnsafeMutablePointer<NodeState>

    /// The last used state of each node; nil before the first object. The states of a node form a circle.
    private var places: UnsafeMutablePointer<State?>
    private var capacity = 16
    /// The greatest number of types of one node. The limit keeps searches short, whatever a server sends. Forgotten
    /// types are added again when they occur.
    private static let mostTypes = 16

    init() {
        places = .allocate(capacity: capacity)
        places.initialize(repeating: nil, count: capacity)
    }

    deinit {
        for index in 0..<capacity {
            guard let first = places[index] else { continue }
            var state = first.pointee.next
            while let other = state, other != first {
                state = other.pointee.next
                Self.free(other)
            }
            Self.free(first)
        }
        places.deallocate()
    }

    private static func free(_ state: State) {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The state that a node used last, by the node's ordinal; nil before its first object. Valid as long as this
    /// object lives.
    @inline(__always)
    subscript(ordinal: Int) -> State? {
        guard ordinal >= 0, ordinal < capacity else { return nil }
        return places[ordinal]
    }

    /// Returns a state of a node that passes the test, and makes it the last used state.
    @inline(__always)
    func use(_ ordinal: Int, where fits: (State) -> Bool) -> State? {
        guard let state = find(ordinal, where: fits) else { return nil }
        places[ordinal] = state
        return state
    }

    /// Returns a state of a node that passes the test.
    @inline(__always)
    func find(_ ordinal: Int, where fits: (State) -> Bool) -> State? {
        guard let last = self[ordinal] else { return nil }
        var state = last
        repeat {
            if fits(state) { return state }
            guard let next = state.pointee.next else { return nil }
            state = next
        } while state != last
        return nil
    }

    /// Adds a state and makes it the last used state. The oldest state may be removed for it.
    func add(_ ordinal: Int, _ state: consuming NodeState) -> State {
        precondition(ordinal >= 0)
        if ordinal >= capacity { grow(ordinal) }
        let place = State.allocate(capacity: 1)
        place.initialize(to: state)
        if let last = places[ordinal] {
            // The new state follows the last one in the circle. A single state has no next.
            place.pointee.next = last.pointee.next ?? last
            last.pointee.next = place
            limit(place)
        }
        places[ordinal] = place
        return place
    }

    /// Removes the oldest state if there are too many.
    private func limit(_ newest: State) {
        var count = 1
        var before = newest
        while let next = before.pointee.next, next != newest {
            before = next
            count += 1
        }
        guard count > Self.mostTypes, let oldest = newest.pointee.next else { return }
        newest.pointee.next = oldest.pointee.next
        Self.free(oldest)
    }

    private func grow(_ ordinal: Int) {
        let size = max(ordinal + 1, capacity * 2)
        let larger = UnsafeMutablePointer<State?>.allocate(capacity: size)
        larger.moveInitialize(from: places, count: capacity)
        (larger + capacity).initialize(repeating: nil, count: size - capacity)
        places.deallocate()
        places = larger
        capacity = size
    }
}
