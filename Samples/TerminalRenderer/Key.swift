/// One key press, as a terminal reports it.
public enum Key: Hashable, Sendable {
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The arrow to the left.
    case left
    /// The arrow to the right.
    case right
    /// The home key.
    case home
    /// The end key.
    case end
    /// The page-up key.
    case pageUp
    /// The page-down key.
    case pageDown
    /// The delete key, which deletes forwards.
    case delete
    /// Enter or return.
    case enter
    /// Escape, pressed alone.
    case escape
    /// The backspace key, which deletes backwards.
    case backspace
    /// The tab key.
    case tab
    /// A character that was typed.
    case character(Character)
    /// A letter, in lower case, with the control key.
    case control(Character)
}

extension Key {
    private static let names: [String: Key] = [
        "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end, "page-up": .pageUp,
        "page-down": .pageDown, "delete": .delete, "enter": .enter, "escape": .escape, "backspace": .backspace,
        "tab": .tab, "space": .character(" "),
    ]

    /// Parses the name of a key in scripts: `up`, `enter`, `page-down`, `space`, `control-c`, or one character.
    public init?(name: some StringProtocol) {
        if let key = Self.names[String(name)] {
            self = key
        } else if name.hasPrefix("control-"), let letter = name.last, name.count == 9 {
            self = .control(letter)
        } else if let character = name.first, name.count == 1 {
            self = .character(character)
        } else {
            return nil
        }
    }
}
