import Baton

/// What is wrong now, for the page: with files that were saved, and with recordings.
///
/// State: the texts by what they are about, guarded by a lock of their own, a leaf.
final class Notices: Sendable {
    private let state = Guarded<[String: String]>([:])

    /// Says what is wrong with something; nil if all is well again.
    func set(_ text: String?, of title: String) { state.withLock { $0[title] = text } }

    /// The texts, in the order of what they are about.
    var texts: [String] { state.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }
}
