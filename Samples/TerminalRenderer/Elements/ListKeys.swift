/// Groups of keys that a ``List`` with the focus takes. What is left out goes to the elements around the list.
public struct ListKeys: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    /// Makes a set of the groups whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The arrows up and down, page up and down, home and end, and enter if the list opens rows.
    public static let arrows = ListKeys(rawValue: 1)
    /// The letters of `vi`: `j` and `k` for a row, `g` and `G` for the ends, and the space for a page.
    public static let letters = ListKeys(rawValue: 2)
    /// Control with `n` and `p` for a row, `f` and `b` for a page, `d` and `u` for half of one.
    public static let controls = ListKeys(rawValue: 4)
    /// Every key that a list can take.
    public static let all: ListKeys = [.arrows, .letters, .controls]

    /// Whether a key is in one of the groups.
    func contains(_ key: Key) -> Bool {
        switch key {
        case .up, .down, .pageUp, .pageDown, .home, .end, .enter: contains(.arrows)
        case .character("j"), .character("k"), .character("g"), .character("G"), .character(" "): contains(.letters)
        case .control("n"), .control("p"), .control("f"), .control("b"), .control("d"), .control("u"):
            contains(.controls)
        default: false
        }
    }
}
