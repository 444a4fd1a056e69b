/// The signal that there is something to write.
final class WriteSignal: Sendable {
    private let hook = Guarded<Hook<Void>?>(nil)

    func set(_ hook: Hook<Void>) { self.hook.withLock { $0 = hook } }

    /// Must not call into the store, because the caller publishes.
    func tell() { hook.withLock { $0 }?.body(()) }
}
