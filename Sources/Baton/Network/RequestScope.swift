import Synchronization

/// Marks the work of a `NetworkLayer` for a request, so that a test's clock can tell a sleeping request from any other
/// sleeper.
///
/// Without such a clock the work is not marked, because each task that the network starts would copy the mark.
package enum RequestScope {
    /// What counts a request.
    package struct Owner: Sendable {
        /// The counts of its environment.
        package let activity: Activity
        private let isSubscription: Bool
        /// Nil unless a test has made a clock or a network of the kit.
        private let mark: RequestMark?

        /// Names the counts of a request that has not started.
        package init(_ activity: Activity, isSubscription: Bool) {
            self.activity = activity
            self.isSubscription = isSubscription
            mark = RequestScope.isWatched ? RequestMark() : nil
        }

        /// What counts other work of the same environment, which is no subscription.
        package var another: Owner { Owner(activity, isSubscription: false) }

        package func requestStarted() { activity.requestStarted(mark, isSubscription: isSubscription) }
        package func requestEnded() { activity.requestEnded(mark, isSubscription: isSubscription) }
        /// Notes that the network was asked for responses.
        func isAsked() { note(.asked) }
        /// Notes that a network of the kit carries the request to its end, and says of each time whether it waits.
        package func isHeld() { note(.held) }
        /// Notes that the request goes on only when a test acts.
        package func rests() { note(.rests) }
        /// Notes that the request goes on; must be called before it does.
        package func wakes() { note(.wakes) }

        private func note(_ news: RequestMark.News) {
            if let mark { activity.note(news, of: mark) }
        }
    }

    /// What counts the request; nil outside of requests.
    @TaskLocal package static var owner: Owner?
    private static let watched = Atomic(false)

    /// True once a test has made a clock or a network of the kit.
    static var isWatched: Bool { watched.load(ordering: .relaxed) }

    /// Marks the work of all requests from now on.
    package static func watch() { watched.store(true, ordering: .relaxed) }

    /// Runs work for a request that an activity counts.
    package static func run<Result>(countedIn owner: Owner?, _ work: () async throws -> Result) async rethrows -> Result
    {
        guard isWatched else { return try await work() }
        return try await $owner.withValue(owner, operation: work)
    }

    /// Runs work for a request that an activity counts.
    static func run<Result>(countedIn owner: Owner?, _ work: () throws -> Result) rethrows -> Result {
        guard isWatched else { return try work() }
        return try $owner.withValue(owner, operation: work)
    }
}
