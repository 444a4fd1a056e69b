import Baton
import Films

@MainActor final class Badge {
    private let task: Task<Void, Never>

    init(in environment: RelayEnvironment, show: @escaping @MainActor (String) -> Void) {
        let events = environment.subscribe(UnreadSubscription())
        show("")
        task = Task { @MainActor in
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

    deinit { task.cancel() }

    func stop() { task.cancel() }

    private static func text(of event: GraphQLResponse<UnreadSubscription>) -> String {
        if let unread = event.data?.unread { return "\(unread)" }
        return event.failure == nil && event.errors.isEmpty ? "" : "-"
    }
}
