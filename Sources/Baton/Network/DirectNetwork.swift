/// A network that can work in the task of the environment's request, which saves a task and its switches.
///
/// The environment calls `run` in place of `responses(to:)`. Both must give the same responses and errors.
///
/// A network behind interceptors is no direct network: an interceptor may deliver from several tasks at a time, which
/// need the order that `delivering` gives them.
package protocol DirectNetwork: NetworkLayer {
    /// Sends a request, delivers each of its responses in order, and returns after the last one.
    ///
    /// `deliver` must be called in the task that calls this method, for one response at a time. It throws
    /// `CancellationError` if the request is over. `giveUp` may be called at any time by any thread. It fails the
    /// request at once and cancels the task; nobody waits for the task's end.
    func run(
        _ request: NetworkRequest, deliver: @escaping NetworkInterceptor.Deliver,
        giveUp: @escaping @Sendable (any Error) -> Void
    ) async throws
}
