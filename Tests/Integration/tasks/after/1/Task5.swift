import Baton
import Films

@MainActor final class Badge {
    private let task: Task<Void, Never>

    init(in environment: RelayEnvironment, show: @escaping @MainActor (String) -> Void) {
        show("")
        // A sequence has every event, a handle only the newest. The task does not keep the badge.
        task = Task { @MainActor in
            if Task.isCancelled { return }
            do {
                for try await response in environment.subscribe(UnreadSubscription()) {
                    if Task.isCancelled { return }
                    switch response.result {
                    case .loading:
                        break
                    case .failure:
                        show("-")
                    case .success(let data):
                        if let unread = data?.unread {
                            show("\(unread)")
                        } else {
                            show(response.errors.isEmpty ? "" : "-")
                        }
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
