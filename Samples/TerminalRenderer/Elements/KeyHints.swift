/// The keys of a screen and what they do, in one line; those that do not fit are left out, the last ones first.
public struct KeyHints: Element, Hashable {
    /// One key.
    struct Hint: Hashable, Sendable {
        let key: String
        let word: String

        var width: Int { key.displayWidth + word.displayWidth + 1 }
    }

    private let hints: [Hint]
    private let lasting: [Hint]

    /// Makes hints of keys and words, such as `("enter", "open")`.
    ///
    /// - Parameters:
    ///   - hints: the keys, the most important ones first.
    ///   - always: keys at the right edge that are shown before the others get any space.
    public init(_ hints: [(key: String, word: String)], always: [(key: String, word: String)] = []) {
        self.hints = hints.map { Hint(key: $0.key, word: $0.word) }
        lasting = always.map { Hint(key: $0.key, word: $0.word) }
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        let width = (hints + lasting).reduce(0) { $0 + $1.width + 2 } - 2
        return Size(width: max(0, min(limits.width, width)), height: min(1, limits.height))
    }

    public func draw(in rect: Rect, of frame: Frame) {
        let width = lasting.reduce(0) { $0 + $1.width + 2 }
        draw(lasting, in: rect.cuttingLeft(max(0, rect.width - max(0, width - 2))).rest, of: frame)
        draw(hints, in: rect.cuttingLeft(max(0, rect.width - width)).left, of: frame)
    }

    @MainActor
    private func draw(_ hints: [Hint], in rect: Rect, of frame: Frame) {
        var rest = rect
        for hint in hints {
            guard hint.width <= rest.width else { return }
            rest = frame.canvas.draw(hint.key, in: rest, style: frame.theme.key)
            rest = frame.canvas.draw(" " + hint.word, in: rest, style: frame.theme.hint).cuttingLeft(2).rest
        }
    }

    public func flexibility(of frame: Frame) -> Flexibility { Flexibility(width: 1, height: 0) }
}
