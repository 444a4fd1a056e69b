import Baton
import TerminalRenderer

/// One full page of the application: one query handle, and child components for its parts.
///
/// Screens live on the app's actor and are made, drawn and used there only.
protocol Screen: AnyObject {
    /// What the keys do here, a piece a key.
    var help: [String] { get }

    /// What there is to show; called for every frame.
    func page(width: Int, in app: isolated App) -> Page

    /// Does what a key stands for on this screen.
    func press(_ key: Key, in app: isolated App) -> KeyEffect
}

extension QueryHandle {
    /// What a page shows of a result: the newest data, or older data while newer is on its way.
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

/// Data and what is to be said about it.
struct Shown<Data> {
    let data: Data?
    let progress: Page.Progress
    var warning: String?
}

/// An index into a list that is moved by keys and never leaves it.
struct Selection: Hashable, Sendable {
    private(set) var index = 0

    /// Moves with the arrows; false if the key means something else.
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

    /// Stays inside a list that may have become shorter.
    mutating func clamp(count: Int) {
        index = max(0, min(index, count - 1))
    }
}
