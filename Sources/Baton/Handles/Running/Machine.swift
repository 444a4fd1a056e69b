/// The decisions of a handle: a value without locks, tasks or calls.
///
/// Its states are cases with their data, so that a combination that must not be cannot be written. It changes only by
/// an event. What it wants of others it says in effects, which a `Shell` has its owner perform. What it must know of
/// others it asks for in an effect, too, and the answer is another event. Queries of its state are properties.
///
/// Each place where effects are performed has a type of its own, so that an owner that forgets one does not compile.
protocol Machine: Sendable {
    associatedtype Event: Sendable
    /// What is performed inside the lock, as a part of the event's step. Only subscriptions to the store and watches of
    /// requests change there, whose locks are inside those of handles.
    associatedtype InLock: Sendable
    /// What is performed by the thread that has sent the event, outside the lock and before it returns: a question,
    /// whose answer is the next event, what the caller must know, or objects of the application to let go, which live
    /// until it returns. Code of the application may run.
    associatedtype Caller: Sendable
    /// What is performed in the queue: outside the lock, by one thread at a time, in the order in which the machine
    /// wanted it.
    associatedtype Queued: Sendable
    typealias Effect = PlacedEffect<InLock, Caller, Queued>
    typealias Effects = EffectList<Effect>
    /// Returns the effects in the order in which they are to be performed.
    mutating func handle(_ event: consuming Event) -> Effects
}

/// Something that a machine wants of others, with the place where it is performed.
enum PlacedEffect<InLock: Sendable, Caller: Sendable, Queued: Sendable>: Sendable {
    case inLock(InLock)
    case caller(Caller)
    case queue(Queued)
}

/// The object whose machine a `Shell` runs. It performs the effects and decides nothing.
protocol MachineOwner: AnyObject, Sendable {
    associatedtype Decisions: Machine
    /// Performs an effect inside the lock; returns the event that follows from it.
    func performInLock(_ effect: Decisions.InLock) -> Decisions.Event?
    /// Performs an effect for the thread that has sent the event; returns the answer of a question.
    func answer(_ effect: Decisions.Caller) -> Decisions.Event?
    /// Performs an effect of the queue.
    func perform(_ effect: Decisions.Queued)
}

extension MachineOwner where Decisions.InLock == Never {
    func performInLock(_ effect: Never) -> Decisions.Event? {}
}
