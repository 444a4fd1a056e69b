import Baton
import Films

@MainActor final class Badge {
    private let unread: SubscriptionHandle<UnreadSubscription>
    private let token: ObservationToken

    init(in environment: RelayEnvironment, show: @escaping @MainActor (String) -> Void) {
        unread = SubscriptionHandle(in: environment)
        token = unread.observe(on: MainActor.shared) { [weak unread] result in
            // A lost connection leaves the newest event on show.
            if unread?.fetchError != nil { return show("-") }
            show(result.data?.unread.map { "\($0)" } ?? "")
        }
        _ = unread.subscribe()
    }

    func stop() {
        token.cancel()
        unread.cancel()
    }
}
