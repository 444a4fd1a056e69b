import Synchronization

/// Marks the work of a `NetworkLayer` for a request, so that a test's clock can tell a sleeping request from any other
/// sleeper.
///
/// Without such a clock the work is not marked, because each task that the network starts would copy the mark.
package enum RequestScope {
    /// The activity that counts the request; nil outside of requests.
    @TaskLocal package static var activity: Activity?
    private static let isWatched = Atomic(false)

    /// Marks the work of all requests from now on.
    package static func watch() { isWatched.store(true, ordering: .relaxed) }

    /// Runs work for a request that an activity counts.
    package static func run<Result>(countedIn activity: Activity?, _ work: () async throws -> Result) async rethrows
        -> Result
    {
        guard isWatched.load(ordering: .relaxed) else { return try await work() }
        return try await $activity.withValue(activity, operation: work)
    }

    /// Runs work for a request that an activity counts.
    static func run<Result>(countedIn activity: Activity?, _ work: () throws -> Result) rethrows -> Result {
        guard isWatched.load(ordering: .relaxed) else { return try work() }
        return try $activity.withValue(activity, operation: work)
    }
}
