import Synchronization

/// An object that is made at its first use and lives as long as this reference.
///
/// `AtomicLazyReference` of the standard library does the same, but its methods are not inlined: each call asks the
/// runtime for metadata, which takes as long as making a small object (benchmark `fragments.vs-foundation`).
///
/// State: an atomic that holds one reference to the object.
struct LateReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let made = Atomic<Unmanaged<Object>?>(nil)

    deinit { made.load(ordering: .acquiring)?.release() }

    /// Returns the object; nil if it is not made.
    @inline(__always)
    func load() -> Object? { made.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Stores an object if there is none; returns the object that is stored now.
    func storeIfNil(_ object: Object) -> Object {
        let new = Unmanaged.passRetained(object)
        let (isStored, known) = made.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !isStored, let known else { return object }
        new.release()
        return known.takeUnretainedValue()
    }
}
