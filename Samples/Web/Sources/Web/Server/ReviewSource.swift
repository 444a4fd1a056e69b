import Baton
import Logging
import Synchronization

/// Where new reviews come from: the environment that all visitors share, and whether its network has subscriptions.
final class ReviewSource: Sendable {
    let environment: RelayEnvironment
    /// False if the network is known to have none: then nobody tries.
    let hasSubscriptions: Bool
    private let logger: Logger
    private let wasReported = Atomic(false)

    init(_ environment: RelayEnvironment, hasSubscriptions: Bool, logger: Logger) {
        self.environment = environment
        self.hasSubscriptions = hasSubscriptions
        self.logger = logger
    }

    /// Says once that pages poll, and why.
    func report(_ error: RelayError?) {
        guard !wasReported.exchange(true, ordering: .relaxed) else { return }
        let reason = error.map { " (\($0.publicFailure.status))" } ?? ""
        let text = "there is no subscription of reviews\(reason): pages that are open are kept fresh by polling"
        logger.log(level: hasSubscriptions ? .warning : .notice, "\(text)")
    }
}
