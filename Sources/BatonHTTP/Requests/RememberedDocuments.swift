import Baton
import BatonText

/// The knowledge of a network about automatic persisted queries: whether its server has them, and the hashes of texts.
///
/// State: guarded by a lock of its own, a leaf.
final class RememberedDocuments: Sendable {
    private struct State {
        var isRefused = false
        var hashes: [String: String] = [:]
    }

    private let state = Guarded(State())
    private let capacity: Int

    /// Keeps no more than `capacity` hashes.
    init(capacity: Int = 1_000) {
        self.capacity = capacity
    }

    /// True once the server has said that it has no persisted queries.
    var isRefused: Bool { state.withLock(\.isRefused) }

    var count: Int { state.withLock(\.hashes.count) }

    /// Notes that the server has no persisted queries, so that texts are sent from now on.
    func refuse() { state.withLock { $0.isRefused = true } }

    /// The SHA-256 of the request's text. If the compiler's id is a SHA-256, the id is returned.
    func hash(of text: String, id: String?) -> String {
        if let id, Self.isSHA256(id) { return id }
        if let hash = state.withLock({ $0.hashes[text] }) { return hash }
        let hash = SHA256.hexadecimal(of: text)
        state.withLock { state in
            // Applications have few texts. The hashes are dropped if an application makes texts up.
            if state.hashes.count >= capacity { state.hashes.removeAll(keepingCapacity: true) }
            state.hashes[text] = hash
        }
        return hash
    }

    private static func isSHA256(_ id: String) -> Bool {
        id.utf8.count == 64 && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// The message of a server about the hash of a document.
enum PersistedQueryVerdict: Sendable, Equatable {
    case notFound
    case notSupported

    /// The longest body of such a message, which has one error. Longer bodies have data.
    private static let longest = 16_384

    /// Reads a response to a request with a hash; nil if the response says nothing about the hash.
    ///
    /// An error about the hash counts only if no part of the operation was carried out, because a resolver may report
    /// the same error.
    init?(_ response: NetworkResponse, to kind: OperationKind) {
        guard response.body.count <= Self.longest, let outline = ResponseErrors(response.body),
            !outline.showsExecution, outline.saysNothingRan(of: kind, status: response.status, mayHaveNull: true)
        else { return nil }
        for text in outline.errors.flatMap({ [$0.code, $0.message] }) {
            switch text {
            case "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound": self = .notFound
            case "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported": self = .notSupported
            default: continue
            }
            return
        }
        return nil
    }
}
