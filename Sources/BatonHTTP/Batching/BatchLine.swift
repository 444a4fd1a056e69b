import Baton

/// Collects requests that may be sent together.
///
/// This value has no tasks and no clock. Its owner says when a window is over.
struct BatchLine<Member: Sendable>: Sendable {
    /// The properties that are equal for all requests of a batch.
    struct Group: Sendable, Hashable {
        let headers: [String: String]
        let timeout: Duration?
        let context: RequestContext

        init(_ request: NetworkRequest) {
            headers = request.configuration.headers
            timeout = request.configuration.timeout
            context = request.configuration.context.affectingResponse
        }
    }

    /// The owner's next step after a request was added.
    enum Action: Sendable {
        /// The request waits for the end of the current window.
        case wait
        case beginWindow(Int)
        /// The batch is full, and its window is over.
        case send([Member])
    }

    private struct Batch: Sendable {
        let window: Int
        var members: [(id: Int, member: Member)]
    }

    private let maximumCount: Int
    private var lastWindow = 0
    private var batches: [Group: Batch] = [:]

    init(maximumCount: Int) { self.maximumCount = max(maximumCount, 1) }

    mutating func add(_ member: Member, id: Int, to group: Group) -> Action {
        var batch = batches[group] ?? Batch(window: 0, members: [])
        let isFirst = batch.members.isEmpty
        if isFirst {
            lastWindow += 1
            batch = Batch(window: lastWindow, members: [])
        }
        batch.members.append((id, member))
        if batch.members.count >= maximumCount {
            batches[group] = nil
            return .send(batch.members.map(\.member))
        }
        batches[group] = batch
        return isFirst ? .beginWindow(batch.window) : .wait
    }

    /// Ends a window and returns its requests. Returns none if the window was over, or if all its requests were given
    /// up.
    mutating func endWindow(_ window: Int) -> [Member] {
        guard let group = batches.first(where: { $0.value.window == window })?.key else { return [] }
        return batches.removeValue(forKey: group)?.members.map(\.member) ?? []
    }

    /// Removes and returns a waiting request; nil if the request was sent. A window without requests is over.
    mutating func giveUp(_ id: Int) -> Member? {
        for (group, batch) in batches {
            guard let index = batch.members.firstIndex(where: { $0.id == id }) else { continue }
            let member = batches[group]?.members.remove(at: index).member
            if batch.members.count == 1 { batches[group] = nil }
            return member
        }
        return nil
    }
}
