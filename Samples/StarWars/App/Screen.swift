import Baton
import TerminalRenderer

/// One full page of the application: one query handle, and child components for its parts.
///
/// Screens live on the app's actor, and are made, drawn and used only on it.
protocol Screen: AnyObject {
    /// The help on keys of this screen, one text for each key.
    var help: [String] { get }

    /// The current page; called for every frame.
    func page(width: Int, in app: isolated App) -> Page

    /// Performs the action of a key on this screen.
    func press(_ key: Key, in app: isolated App) -> KeyEffect
}

extension QueryHandle {
    /// The data to show for a result: the newest data, or older data while a request is in flight.
    func shown(_ result: QueryResult<Operation.Data>) -> Shown<Operation.Data> {
        switch result {
        case .loading: Shown(data: previousData(anyVariables: true), progress: .loading)
        case .failure(let error): Shown(data: nil, progress: .failed(error.description))
        case .success(let data):
            Shown(
                data: data,
                progress: isFetching ? .loading : .idle,
                warning: fetchError.map { "Not refreshed; r tries again. \($0)" }
            )
        }
    }
}

/// Data with a note about it.
struct Shown<Data> {
    let data: Data?
    let progress: Page.Progress
    var warning: String?
}

/// An index into a list; keys move it within the list.
struct Selection: Hashable, Sendable {
    private(set) var index = 0

    /// Moves with the arrow keys; returns false for other keys.
    mutating func move(_ key: Key, count: Int) -> Bool {
        switch key {
        case .up: index -= 1
        case .down: index += 1
        case .pageUp: index -= 10
        case .pageDown: index += 10
        case .home: index = 0
        case .end: index = count - 1
        default: return false
        }
        clamp(count: count)
        return true
    }

    /// Keeps the index inside a list that may have become shorter.
    mutating func clamp(count: Int) {
        index = max(0, min(index, count - 1))
    }
}
