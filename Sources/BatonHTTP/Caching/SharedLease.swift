import Baton

/// The right of this process to ask the server on behalf of all processes. It is ended once.
final class SharedLease: Sendable {
    private let storage: SharedStorage
    private let key: ResponseKey
    private let token: UInt64
    private let isOver = Mark()

    init(_ storage: SharedStorage, _ key: ResponseKey, token: UInt64) {
        self.storage = storage
        self.key = key
        self.token = token
    }

    /// Ends the right.
    ///
    /// - Parameter isUnneeded: Whether the response serves only this process, so that others need not wait for one.
    func end(isUnneeded: Bool) async {
        if !isOver.set() { await storage.release(key, token: token, isUnneeded: isUnneeded) }
    }
}
