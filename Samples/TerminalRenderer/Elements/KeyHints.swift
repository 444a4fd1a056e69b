/// The keys of a screen and what they do, in one line; those that do not fit are left out, the last ones first.
public struct KeyHints: Element, Hashable {
    /// One key.
    struct Hint: Hashable, Sendable {
        let key: String
        let word: String
    }

    private let hints: [Hint]

    /// Makes hints of keys and words, such as `("enter", "open")`.
    public init(_ hints: [(key: String, word: String)]) {
        self.hints = hints.map { Hint(key: $0.key, word: $0.word) }
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let width = hints.reduce(0) { $0 + $1.key.displayWidth + $1.word.displayWidth + 3 } - 2
        return Size(width: max(0, min(limits.width, width)), height: min(1, limits.height))
    }

    public func draw(in rect: Rect, of frame: Frame) {
        var rest = rect
        for hint in hints {
            guard hint.key.displayWidth + hint.word.displayWidth + 1 <= rest.width else { return }
            rest = frame.canvas.draw(hint.key, in: rest, style: frame.theme.key)
            rest = frame.canvas.draw(" " + hint.word, in: rest, style: frame.theme.hint).cuttingLeft(2).rest
        }
    }

    public func flexibility(of frame: Frame) -> Flexibility { Flexibility(width: 1, height: 0) }
}
