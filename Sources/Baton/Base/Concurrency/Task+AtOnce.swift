extension Task where Success == Void, Failure == Never {
    /// Starts a task that runs on the calling thread until it first waits, or goes on to an actor. If it does neither,
    /// this saves a change of thread (benchmark `latency.request-us`). Older systems start the task on another thread.
    ///
    /// The body must not depend on the actor of the caller.
    @discardableResult
    static func atOnce(_ body: sending @escaping @isolated(any) () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            return Task.immediate(operation: body)
        }
        return Task(operation: body)
    }
}
