// The order of notifications has several owners, this one for a handle's effects; ReadingTheDesign.md names the others.

/// Runs a machine: one lock, and one ordered queue of effects.
///
/// - An event and its effects inside the lock are one step. Steps follow each other, whatever the threads.
/// - The questions of a step are answered by the thread that has sent the event. So it knows the state that follows
///   from its event when `send` returns, whoever works at the queue. An answer may be old when it arrives; the machine
///   asks again then, or drops it.
/// - The effects of the queue are performed in the order of the steps, never two at once. A thread that finds another
///   one at work leaves its effects to it. So does an effect that sends an event: its effects follow.
/// - While an effect is performed outside the lock, no lock is held.
///
/// State: guarded by its own lock, outside those of the store and of requests.
struct Shell<Decisions: Machine>: ~Copyable, Sendable {
    // Not private, because `look` is inlined in other files.
    struct State: Sendable {
        var machine: Decisions
        // After the machine, whose last bytes are small: so the flag needs no word of its own.
        var isWorking = false
        var queue: [Decisions.Queued] = []

        /// Begins to work at the queue; returns false if another thread does.
        mutating func begin() -> Bool {
            defer { isWorking = true }
            return !isWorking
        }

        /// Takes the effects that are due; nil ends the work.
        mutating func next() -> [Decisions.Queued]? {
            guard !queue.isEmpty else {
                isWorking = false
                return nil
            }
            defer { queue = [] }
            return queue
        }
    }

    private let state: Guarded<State>

    init(_ machine: consuming Decisions) {
        state = Guarded(State(machine: machine), .handle)
    }

    /// Reads the state of the machine. No code of the application may run in `body`.
    @inline(__always)
    func look<Result: Sendable>(_ body: (borrowing Decisions) -> Result) -> Result {
        state.withLock { state in body(state.machine) }
    }

    /// Sends an event, and returns when its questions are answered and its other effects are performed or left to the
    /// thread that is at work.
    func send<Owner: MachineOwner>(
        _ event: consuming Decisions.Event, for owner: borrowing Owner
    ) where Owner.Decisions == Decisions {
        send(event, for: owner) { owner.answer($0) }
    }

    /// Sends an event. `answer` takes the place of the owner's, for a caller that wants to know what it is told.
    func send<Owner: MachineOwner>(
        _ event: consuming Decisions.Event, for owner: borrowing Owner,
        answer: (Decisions.Caller) -> Decisions.Event?
    ) where Owner.Decisions == Decisions {
        var (own, works) = step(event, for: owner)
        var index = 0
        while let effect = own[index] {
            if let next = answer(effect) {
                let (more, worksNow) = step(next, for: owner)
                if !more.isEmpty { own += more }
                works = works || worksNow
            }
            index += 1
        }
        if works { work(for: owner) }
    }

    /// Passes an event to the machine, and performs what belongs inside the lock. Returns the effects for the caller,
    /// and whether the queue has others.
    private func step<Owner: MachineOwner>(
        _ event: consuming Decisions.Event, for owner: borrowing Owner
    ) -> (own: EffectList<Decisions.Caller>, works: Bool) where Owner.Decisions == Decisions {
        var next: Decisions.Event? = event
        return state.withLock { state in
            var own = EffectList<Decisions.Caller>()
            while let event = next.take() {
                var effects = state.machine.handle(consume event)
                effects.giveAway { effect in
                    switch consume effect {
                    case .inLock(let effect):
                        // At most one effect of an event has an answer.
                        if let answer = owner.performInLock(effect) { next = answer }
                    case .caller(let effect): own.append(effect)
                    case .queue(let effect): state.queue.append(effect)
                    }
                }
            }
            return (own, !state.queue.isEmpty && !state.isWorking)
        }
    }

    /// Performs the effects of the queue until there are none, unless another thread does.
    private func work<Owner: MachineOwner>(for owner: borrowing Owner) where Owner.Decisions == Decisions {
        guard state.withLock({ $0.begin() }) else { return }
        while let effects = state.withLock({ $0.next() }) {
            for effect in effects { owner.perform(effect) }
        }
    }
}
