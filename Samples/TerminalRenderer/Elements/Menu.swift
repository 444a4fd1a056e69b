/// A window with choices. Enter, a click, and the digit of a choice that has one choose it. It begins with a choice
/// that is marked.
///
///     panes.overlay(isOpen ? Menu("Label", names.map { Text(" \($0)") }, state) { label = names[$0] } : nil) {
///         isOpen = false
///     }
public struct Menu: Element {
    private static let footer = "enter choose  esc back"

    private let title: String
    private let choices: [Text]
    private let marked: Set<Int>
    private let isNumbered: Bool
    private let failure: String?
    private let width: Int
    private let state: ListState
    private let choose: @MainActor (Int) -> Void

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - title: the text at the left of the upper border.
    ///   - choices: what there is to choose from, each with a space at its beginning. The mark stands before it.
    ///   - marked: the choices that hold now, which are marked.
    ///   - isNumbered: whether the first nine choices have digits.
    ///   - failure: why there are no choices, or not all of them.
    ///   - width: the columns of the choices, if there are so many.
    ///   - state: the selection and the place, which the component keeps.
    ///   - choose: runs with the index of the choice that is chosen.
    public init(
        _ title: String, _ choices: [Text], marked: Set<Int> = [], isNumbered: Bool = false, failure: String? = nil,
        width: Int = 26, _ state: ListState, choose: @escaping @MainActor (Int) -> Void
    ) {
        (self.title, self.choices, self.marked, self.isNumbered) = (title, choices, marked, isNumbered)
        (self.failure, self.width, self.state, self.choose) = (failure, width, state, choose)
    }

    @MainActor
    private var window: some Element {
        let (choices, marked, isNumbered, choose) = (choices, marked, isNumbered, choose)
        return Box(title, footer: Self.footer, isFocused: true) {
            if let failure { Text(failure, .color(.red)).wrapped }
            List(choices.indices, state, opensAtOnce: true, open: choose) { index, _ in
                let digit = isNumbered ? Text(index < 9 ? " \(index + 1)" : "  ", .bold) : Text("")
                return Text(marked.contains(index) ? "\u{2022}" : " ") + digit + choices[index]
            }
            .frame(width: width, height: min(16, max(2, choices.count)))
        }
        .onKey(when: isNumbered) { key in
            guard case .character(let digit) = key, let number = digit.wholeNumberValue,
                choices.indices.contains(number - 1), number > 0
            else { return false }
            choose(number - 1)
            return true
        }
    }

    public func size(within limits: Size, of frame: Frame) -> Size { window.size(within: limits, of: frame) }
    public func flexibility(of frame: Frame) -> Flexibility { window.flexibility(of: frame) }

    public func draw(in rect: Rect, of frame: Frame) {
        if state.isNew, let first = marked.min() { state.selection = first }
        window.draw(in: rect, of: frame)
    }
}
