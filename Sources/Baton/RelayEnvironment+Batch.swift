extension RelayEnvironment {
    /// Runs a body and delivers all its changes together: each observer, each tracked frame and each sequence of
    /// results gets one state, the state after the body.
    ///
    ///     environment.batch {
    ///         for film in films { try? environment.update { try $0.delete(film.dataID) } }
    ///     }
    ///
    /// All readers see the writes of the body at once. Only deliveries wait, including those for writes of other
    /// threads and for responses that land meanwhile. An observer whose body is about to run may see a part of the
    /// changes. Batches may be nested and may overlap; the deliveries wait for the end of the last one. The body should
    /// be short. If it throws, the error is thrown, and the changes before the error are delivered.
    ///
    /// ### Behavior
    ///
    /// - A batch delivers one state, the state after it, and its writes can be read at once.
    /// - A batch that throws delivers the changes from before the error.
    /// - Batches that overlap deliver the last state.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try body()
    }

    /// Runs an asynchronous body and delivers all its changes together, as the synchronous `batch` does. While the body
    /// waits for the network, no screen of the environment changes.
    public func batch<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try await body()
    }
}
