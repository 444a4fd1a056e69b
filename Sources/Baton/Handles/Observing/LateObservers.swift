import Synchronization

/// The observers of a handle, in an object that is made for the first observer. Most handles of a list have no
/// observer.
struct LateObservers: ~Copyable, Sendable {
    private let made = LateReference<Observers>()

    /// The observers, if the object is made. Must be called after the change was noted in an atomic.
    ///
    /// Either this property finds the object, or the thread that makes the object later reads the atomic and finds the
    /// change. The fences order the writes of both threads before their reads.
    var present: Observers? {
        if let observers = made.load() { return observers }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return made.load()
    }

    /// The observers that the current thread knows of; nil if it knows of none.
    var known: Observers? { made.load() }

    /// The observers. The object is made if it does not exist.
    var observers: Observers {
        let observers = made.load() ?? made.storeIfNil(Observers())
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return observers
    }
}
