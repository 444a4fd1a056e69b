import Baton
import Films

@MainActor final class Badge {
    private let reading: Task<Void, Never>

    init(in environment: RelayEnvironment, show: @escaping @MainActor (String) -> Void) {
        show("")
        let events = environment.subscribe(UnreadSubscription())
        // The task knows nothing of the badge, so that the badge can be let go.
        reading = Task { @MainActor in
            do {
                for try await event in events {
                    if Task.isCancelled { return }
                    show(Badge.text(of: event))
                }
            } catch {
                if Task.isCancelled { return }
                show("-")
            }
        }
    }

    deinit {
        reading.cancel()
    }

    func stop() {
        reading.cancel()
    }

    private static func text(of event: GraphQLResponse<UnreadSubscription>) -> String {
        guard let data = event.data else { return "-" }
        if let number = data.unread { return String(number) }
        return event.errors.isEmpty ? "" : "-"
    }
}
