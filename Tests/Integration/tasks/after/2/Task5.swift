import Baton
import Films

@MainActor final class Badge {
    private let task: Task<Void, Never>

    init(in environment: RelayEnvironment, show: @escaping @MainActor (String) -> Void) {
        show("")
        task = Task { @MainActor in
            if Task.isCancelled { return }
            do {
                for try await response in environment.subscribe(UnreadSubscription()) {
                    if Task.isCancelled { return }
                    if let unread = response.data?.unread {
                        show(String(unread))
                    } else if response.result.error != nil || !response.errors.isEmpty {
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

    deinit { task.cancel() }

    func stop() { task.cancel() }
}
