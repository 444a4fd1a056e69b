/// The kinds of marks that an item has.
struct MarkSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let maxAge = MarkSet(rawValue: 1)
    static let handle = MarkSet(rawValue: 2)
    /// The field is a list whose further items arrive later (`@stream`).
    static let stream = MarkSet(rawValue: 4)
    /// The item is an inline fragment, a spread or a field that arrives later (`@defer`).
    static let deferred = MarkSet(rawValue: 8)
    static let required = MarkSet(rawValue: 16)
    static let catches = MarkSet(rawValue: 32)
    static let client = MarkSet(rawValue: 64)
}
