/// The decisions of a mutation handle: what is in flight, and whose result is shown.
struct MutationMachine<Response: Sendable>: Machine {
    /// A commit in flight, with the generation of the store in which it began.
    struct Commit: Sendable {
        let stop: CommitStop
        let generation: Int
    }

    enum Shown: Sendable {
        /// Nothing was committed yet, or everything that was committed is in flight.
        case nothing
        /// The result of the commit with this number; without a response it has failed.
        case result(Int, Response?)
    }

    /// What the caller of a commit is told.
    enum Notice: Sendable {
        case begun(Int)
        case shown
        /// The store was emptied since the commit began, so nothing of its response is shown.
        case dropped
    }

    enum Event: Sendable {
        case began(CommitStop, generation: Int)
        /// A commit has ended with this response and content to show. Without a response it has failed.
        case ended(Int, Response?, Reading.Content)
        /// The caller wants none of the commits in flight any more.
        case cancelled
        /// The store was emptied, and this is its generation.
        case emptied(generation: Int)
    }

    typealias InLock = Never

    /// For the thread that has sent the event.
    enum Caller: Sendable {
        case tell(Notice)
        /// Let go what may hold the last reference to an object of the application.
        case discard(Reading, Response?)
    }

    /// In the queue.
    enum Queued: Sendable {
        case notify
        case stop(CommitStop)
        /// Count the end of a commit.
        case countEnd
    }

    private(set) var reading = Reading.nothing
    private var shown = Shown.nothing
    private var commits: [Int: Commit] = [:]
    /// The number of the last commit.
    private var last = 0
    /// The generation of the store at the last reset.
    private var generation = 0

    var isFetching: Bool { !commits.isEmpty }

    /// The response of the commit whose result is shown; nil if there was none.
    var response: Response? {
        if case .result(_, let response) = shown { response } else { nil }
    }

    mutating func handle(_ event: consuming Event) -> Effects {
        let discard = Effect.caller(.discard(reading, response))
        switch event {
        case .began(let stop, let generation):
            last += 1
            commits[last] = Commit(stop: stop, generation: generation)
            show(reading.content)
            return [.caller(.tell(.begun(last))), .queue(.notify), discard]
        case .ended(let number, let response, let content):
            guard let commit = commits.removeValue(forKey: number) else { return [] }
            let isDropped = commit.generation < generation
            if !isDropped, isNewest(number) {
                shown = .result(number, response)
                show(content)
            } else {
                show(reading.content)
            }
            return [.caller(.tell(isDropped ? .dropped : .shown)), .queue(.notify), .queue(.countEnd), discard]
        case .cancelled:
            return Effects(commits.sorted { $0.key < $1.key }.map { .queue(.stop($0.value.stop)) })
        case .emptied(let generation):
            self.generation = max(self.generation, generation)
            shown = .nothing
            show(.loading)
            return [.queue(.notify), discard]
        }
    }

    /// True if no commit that began later has ended.
    private func isNewest(_ number: Int) -> Bool {
        if case .result(let other, _) = shown { other < number } else { true }
    }

    private mutating func show(_ content: Reading.Content) {
        reading = Reading(after: reading, content, changedBy: nil)
    }
}
