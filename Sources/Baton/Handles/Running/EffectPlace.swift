/// Where an effect is performed.
enum EffectPlace: Sendable {
    /// Inside the lock, as a part of the event's step. Only subscriptions to the store and watches of requests change
    /// there, whose locks are inside those of handles.
    case inLock
    /// By the thread that has sent the event, outside the lock and before it returns: a question, whose answer is the
    /// next event, what the caller must know, or objects of the application to let go, which live until it returns.
    /// Code of the application may run.
    case caller
    /// In the queue: outside the lock, by one thread at a time, in the order in which the machine wanted it.
    case queue
}
