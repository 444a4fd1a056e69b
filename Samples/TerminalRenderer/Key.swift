/// One key press, as far as a terminal tells.
public enum Key: Hashable, Sendable {
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The arrow to the left.
    case left
    /// The arrow to the right.
    case right
    /// To the beginning.
    case home
    /// To the end.
    case end
    /// A page back.
    case pageUp
    /// A page on.
    case pageDown
    /// Deletes forwards.
    case delete
    /// Enter or return.
    case enter
    /// Escape, pressed alone.
    case escape
    /// Deletes backwards.
    case backspace
    /// The tabulator.
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

    /// Reads the name of a key as scripts write it: `up`, `enter`, `page-down`, `space`, `control-c`, or one character.
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
