/// One key press, as a terminal reports it.
public indirect enum Key: Hashable, Sendable {
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
    /// The insert key.
    case insert
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
    /// A function key, from 1 on.
    case function(Int)
    /// A character that was typed. With shift it is another character, such as a capital letter.
    case character(Character)
    /// A letter, in lower case, with the control key.
    case control(Character)
    /// Another key with modifiers, of which there is at least one.
    case modified(Key, KeyModifiers)

    /// A key with shift.
    public static func shift(_ key: Key) -> Key { .modified(key, .shift) }
    /// A key with alt.
    public static func alt(_ key: Key) -> Key { .modified(key, .alt) }
}

extension Key {
    private static let names: [String: Key] = [
        "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end, "page-up": .pageUp,
        "page-down": .pageDown, "insert": .insert, "delete": .delete, "enter": .enter, "escape": .escape,
        "backspace": .backspace, "tab": .tab, "space": .character(" "),
    ]

    /// Parses the name of a key in scripts: `up`, `enter`, `page-down`, `space`, `f5`, one character, and any of them
    /// after `control-`, `alt-` or `shift-`, such as `control-c` and `shift-tab`.
    public init?(name: some StringProtocol) {
        if let key = Self.names[String(name)] {
            self = key
        } else if let character = name.first, name.count == 1 {
            self = .character(character)
        } else if name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...24).contains(number) {
            self = .function(number)
        } else {
            self.init(modifiedName: name)
        }
    }

    private init?(modifiedName name: some StringProtocol) {
        let prefixes: [(String, KeyModifiers)] = [("control-", .control), ("alt-", .alt), ("shift-", .shift)]
        for (prefix, modifier) in prefixes where name.hasPrefix(prefix) {
            guard let key = Key(name: name.dropFirst(prefix.count)) else { return nil }
            self = key.with(modifier)
            return
        }
        return nil
    }

    /// The key with modifiers; without any, the key itself.
    func with(_ modifiers: KeyModifiers) -> Key {
        if modifiers.isEmpty { return self }
        switch self {
        case .modified(let key, let others): return .modified(key, modifiers.union(others))
        case .character(let letter) where modifiers == .control: return .control(letter)
        case .character where modifiers == .shift: return self
        default: return .modified(self, modifiers)
        }
    }
}
