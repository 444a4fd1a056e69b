/// The elements that wait for the reader of a sequence, and the readers that wait for one.
///
/// State: guarded by a lock of its own, a leaf. Readers are resumed outside of it.
final class ResponseQueue<Element: Sendable>: Sendable {
    private struct State {
        /// The oldest element is the last of `older`. If that is empty, it is the first of `newer`.
        var older: [Element] = []
        var newer: [Element] = []
        /// How the sequence ends after the elements that wait. An error is given to one reader.
        var end: Result<Void, RelayError>?
        var readers: [CheckedContinuation<Void, Never>] = []

        mutating func takeOldest() -> Element? {
            if older.isEmpty {
                older = newer.reversed()
                newer = []
            }
            return older.popLast()
        }

        mutating func takeReaders() -> [CheckedContinuation<Void, Never>] {
            defer { readers = [] }
            return readers
        }
    }

    /// What a reader gets without waiting.
    private enum Step {
        case element(Element)
        case ended(Result<Void, RelayError>)
        case nothing
    }

    private let state = Guarded(State())
    private let limit: Int

    /// - Parameter limit: The number of elements that wait at most.
    init(limit: Int = .max) {
        self.limit = limit
    }

    /// Adds an element, unless the sequence has ended. Returns the element that is dropped because too many wait.
    @discardableResult func add(_ element: Element) -> Element? {
        let (dropped, readers) = state.withLock { state -> (Element?, [CheckedContinuation<Void, Never>]) in
            guard state.end == nil else { return (nil, []) }
            state.newer.append(element)
            let isFull = state.newer.count + state.older.count > limit
            return (isFull ? state.takeOldest() : nil, state.takeReaders())
        }
        for reader in readers { reader.resume() }
        return dropped
    }

    /// Ends the sequence after the elements that wait. Only the first call counts.
    func end(_ result: Result<Void, RelayError>) {
        let readers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.end == nil else { return [] }
            state.end = result
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
    }

    /// Takes the oldest element, and waits for one if there is none. Returns nil after the end.
    ///
    /// The caller's actor is left only to wait.
    ///
    /// - Parameter stop: Ends the sequence. It is called if the calling task is cancelled.
    func next(
        isolation actor: isolated (any Actor)? = #isolation, stop: @Sendable () -> Void
    ) async throws(RelayError) -> Element? {
        if Task.isCancelled { stop() }
        while true {
            switch step() {
            case .element(let element): return element
            case .ended(let result):
                try result.get()
                return nil
            case .nothing: await wait(isolation: actor, stop: stop)
            }
        }
    }

    private func step() -> Step {
        state.withLock { state in
            if let element = state.takeOldest() { return .element(element) }
            guard let end = state.end else { return .nothing }
            state.end = .success(())
            return .ended(end)
        }
    }

    /// Waits until there may be something to read.
    private func wait(isolation actor: isolated (any Actor)?, stop: @Sendable () -> Void) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.end == nil, state.older.isEmpty, state.newer.isEmpty else { return false }
                    state.readers.append(continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            stop()
        }
    }
}
