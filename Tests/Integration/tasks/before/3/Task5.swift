import Baton
import Films

@MainActor final class Badge {
    private let reading: Task<Void, Never>

    init(in environment: RelayEnvironment, show: @escaping @MainActor (String) -> Void) {
        show("")
        let events = environment.subscribe(UnreadSubscription())
        // The task holds the sequence and the closure, not the badge: so the badge can be let go while the task reads.
        reading = Task { @MainActor in
            do {
                for try await event in events {
                    if Task.isCancelled { return }
                    if let unread = event.data?.unread {
                        show(String(unread))
                    } else if event.data == nil || event.failure != nil || !event.errors.isEmpty {
                        show("-")
                    } else {
                        show("")
                    }
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
}
