import Baton

/// Keeps responses by their keys, up to a number of bytes. The response that was not used for the longest time is
/// dropped first.
struct ResponseCache: Sendable {
    private struct Slot {
        /// The responses that differ by the headers in `Vary`; the newest stands last.
        var variants: [CacheEntry] = []
        var cost = 0
        var lastUse = 0
    }

    private let maximumBytes: Int
    private var slots: [CacheKey: Slot] = [:]
    /// All uses in their order. A use that is not the last one of its key is skipped, and removed in time.
    private var uses: [(key: CacheKey, use: Int)] = []
    private var firstUse = 0
    private var lastUse = 0
    /// The approximate memory of all responses, in bytes.
    private(set) var bytes = 0

    private static let maximumVariants = 8

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// The number of keys.
    var count: Int { slots.count }

    /// Returns the response that serves a request, and notes that it was used.
    mutating func entry(_ key: CacheKey, for request: NetworkRequest) -> CacheEntry? {
        guard let entry = slots[key]?.variants.last(where: { $0.serves(request) }) else { return nil }
        use(key)
        return entry
    }

    /// Keeps a response in place of the one that served the same request. A response that is larger than the cache is
    /// not kept.
    mutating func store(_ entry: CacheEntry, _ key: CacheKey, for request: NetworkRequest) {
        var slot = slots[key] ?? Slot()
        var entry = entry
        if let index = slot.variants.lastIndex(where: { $0.serves(request) }) {
            entry.follow(slot.variants.remove(at: index))
        }
        slot.variants.append(entry)
        if slot.variants.count > Self.maximumVariants { slot.variants.removeFirst() }
        remove(key)
        slot.cost = slot.variants.reduce(key.cost) { $0 + $1.cost }
        guard slot.cost <= maximumBytes else { return }
        slots[key] = slot
        bytes += slot.cost
        use(key)
        while bytes > maximumBytes, dropOldest() {}
    }

    /// Removes the responses to a request.
    mutating func remove(_ key: CacheKey) {
        if let slot = slots.removeValue(forKey: key) { bytes -= slot.cost }
    }

    /// Removes the responses with one of these tags.
    mutating func remove(tags: Set<ResponseTag>) {
        if tags.contains(.all) { return removeAll() }
        let outdated = slots.filter { $0.value.variants.contains { !tags.isDisjoint(with: $0.tags) } }
        for key in outdated.keys { remove(key) }
    }

    mutating func removeAll() {
        slots = [:]
        uses = []
        firstUse = 0
        bytes = 0
    }

    private mutating func use(_ key: CacheKey) {
        lastUse += 1
        slots[key]?.lastUse = lastUse
        uses.append((key, lastUse))
        guard uses.count > 64, uses.count > 4 * slots.count else { return }
        uses = uses[firstUse...].filter { slots[$0.key]?.lastUse == $0.use }
        firstUse = 0
    }

    private mutating func dropOldest() -> Bool {
        while firstUse < uses.count {
            let (key, use) = uses[firstUse]
            firstUse += 1
            if slots[key]?.lastUse == use {
                remove(key)
                return true
            }
        }
        return false
    }
}
