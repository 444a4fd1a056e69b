/// The object whose machine a `Shell` runs. It performs the effects and decides nothing.
protocol MachineOwner: AnyObject, Sendable {
    associatedtype Decisions: Machine
    /// Performs an effect inside the lock; returns the event that follows from it.
    func performInLock(_ effect: Decisions.Effect) -> Decisions.Event?
    /// Performs an effect for the thread that has sent the event; returns the answer of a question.
    func answer(_ effect: Decisions.Effect) -> Decisions.Event?
    /// Performs an effect of the queue.
    func perform(_ effect: Decisions.Effect)
}

extension MachineOwner {
    func performInLock(_ effect: Decisions.Effect) -> Decisions.Event? { nil }
    func answer(_ effect: Decisions.Effect) -> Decisions.Event? { nil }
}
