import TerminalRenderer

extension App {
    /// Performs the action of a key that no pane has taken.
    func press(_ key: Key) -> Bool {
        switch key {
        case .character("q"), .control("c"): screen.quit()
        case .character("?"), .function(1): overlay = .help
        case .character("p"):
            publishes.reset()
            overlay = .publishes
        case .character("/"): open(.search)
        case .character("1"): open(.films)
        case .character("2"): open(.characters)
        case .tab, .shift(.tab), .right, .left, .character("l"), .character("h"): moveFocus(key)
        case .escape, .backspace: goBack()
        case .character("r"): refetch()
        case .character("i"): invalidate()
        case .character("e"): switchCable()
        default: return false
        }
        return true
    }

    private func moveFocus(_ key: Key) {
        switch key {
        case .right, .character("l"): isDetailFocused = true
        case .left, .character("h"): isDetailFocused = false
        default: isDetailFocused.toggle()
        }
    }
}
