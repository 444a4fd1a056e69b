import HTML
import Synchronization

/// The pictures that were drawn already. A picture is a function of facts and nothing else, so whoever has the same
/// facts gets the same piece; drawing it takes most of the time for a list.
///
/// State: guarded by a lock of its own, a leaf.
final class Drawings<Facts: Hashable & Sendable>: Sendable {
    private let most: Int
    private let drawn = Mutex<[Facts: HTML]>([:])

    /// Makes an empty collection, which is emptied whenever it has as many pictures as this.
    init(most: Int = 1_000) { self.most = most }

    /// The picture of some facts. The function draws from these facts alone.
    func picture(of facts: Facts, _ draw: (Facts) -> HTML) -> HTML {
        if let known = drawn.withLock({ $0[facts] }) { return known }
        let picture = draw(facts)
        drawn.withLock { drawn in
            if drawn.count >= most { drawn.removeAll(keepingCapacity: true) }
            drawn[facts] = picture
        }
        return picture
    }
}
