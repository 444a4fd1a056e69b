extension RelayEnvironment {
    /// Runs a body, and tells of all its changes at once: each observer, each tracked frame and each sequence of
    /// results gets one state, that after the body.
    ///
    ///     environment.batch {
    ///         for film in films { try? environment.update { try $0.delete(film.dataID) } }
    ///     }
    ///
    /// What the body writes can be read at once, by everybody. Only telling waits, also of what other threads write
    /// meanwhile and of answers that land meanwhile. An observer whose body is about to run may see a part of the
    /// changes. Batches may be nested and may overlap; the end of the last one counts. The body should be short. Throws
    /// what the body throws; what was written before is told.
    ///
    /// ### Behavior
    ///
    /// - A batch tells once, of the state after it, and what it writes can be read at once.
    /// - A batch that throws tells what was written before.
    /// - Batches that overlap tell the last state.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try body()
    }

    /// Runs an asynchronous body, and tells of all its changes at once, as the synchronous `batch` does. A body that
    /// waits for the network keeps every screen of the environment as it is for as long.
    public func batch<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        deliveries.beginBatch()
        defer { deliveries.endBatch() }
        return try await body()
    }
}
