/// A window with the keys of a program. What does not fit is scrolled, and a key that does not scroll closes the
/// window.
///
///     program.overlay(isHelp ? KeyHelp(keys, scroll) { isHelp = false } : nil)
public struct KeyHelp: Element {
    private let keys: [(key: String, meaning: String)]
    private let state: ScrollState
    private let close: @MainActor () -> Void

    /// Makes the window.
    ///
    /// - Parameters:
    ///   - keys: each key, or several with one meaning, and what they do.
    ///   - state: the place to which the window is scrolled, which the component keeps.
    ///   - close: takes the window away.
    public init(
        _ keys: [(key: String, meaning: String)], _ state: ScrollState, close: @escaping @MainActor () -> Void
    ) {
        (self.keys, self.state, self.close) = (keys, state, close)
    }

    @MainActor
    private func window(in frame: Frame) -> some Element {
        let width = (keys.map(\.key.displayWidth).max() ?? 0) + 2
        let widest = width + (keys.map(\.meaning.displayWidth).max() ?? 0) + 4
        let footer = "j k scroll, any other key closes"
        let (state, close) = (state, close)
        return Box("Keys", footer: footer, isFocused: true) {
            Scroll(state) {
                for (key, meaning) in keys {
                    Row {
                        Text(key, frame.theme.key).frame(width: width)
                        Text(meaning).wrapped.filling(width: 1, height: 0)
                    }
                }
            }
            .padding(horizontal: 1)
        }
        .onKey { key in
            if [.control("c"), .control("z")].contains(key) { return false }
            state.offset = 0
            close()
            return true
        }
        .onClick(close)
        .limited(width: max(widest, footer.displayWidth + 6))
    }

    public func size(within limits: Size, of frame: Frame) -> Size { window(in: frame).size(within: limits, of: frame) }
    public func flexibility(of frame: Frame) -> Flexibility { window(in: frame).flexibility(of: frame) }
    public func draw(in rect: Rect, of frame: Frame) { window(in: frame).draw(in: rect, of: frame) }
}
