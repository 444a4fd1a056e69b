import Synchronization

/// The observers of a handle, in an object that is made for the first one. Most handles of a list have none.
struct LateObservers: ~Copyable, Sendable {
    private let made = LateReference<Observers>()

    /// The observers, if the object is made. Must be called after the news was noted in an atomic.
    ///
    /// Either this property finds the object, or the thread that makes it later reads the atomic and finds the news.
    /// The fences order the writes of both threads before their reads.
    var present: Observers? {
        if let observers = made.load() { return observers }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return made.load()
    }

    /// The observers; the object is made if there is none.
    var observers: Observers {
        let observers = made.load() ?? made.storeIfNil(Observers())
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return observers
    }
}
