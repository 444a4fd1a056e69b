import Baton
import Films

@MainActor final class Badge {
    private let show: @MainActor (String) -> Void
    private var task: Task<Void, Never>?

    init(in environment: RelayEnvironment, show: @escaping @MainActor (String) -> Void) {
        self.show = show
        show("")
        // A sequence has every event, also two with the same number.
        let events = environment.subscribe(UnreadSubscription())
        task = Task { @MainActor [weak self] in
            do {
                for try await event in events {
                    guard let self, !Task.isCancelled else { return }
                    self.show(Badge.text(of: event))
                }
            } catch {
                guard let self, !Task.isCancelled else { return }
                self.show("-")
            }
        }
    }

    deinit {
        task?.cancel()
    }

    func stop() {
        task?.cancel()
    }

    private static func text(of event: GraphQLResponse<UnreadSubscription>) -> String {
        guard let data = event.data, event.failure == nil else { return "-" }
        if let unread = data.unread { return String(unread) }
        return event.errors.isEmpty ? "" : "-"
    }
}
