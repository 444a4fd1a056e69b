/// Rows of which one is selected, and of which only those that are seen are made.
///
///     List(films, state, isFocused: true) { film, row in rows(film.fragments.filmRow_film, row) }
///
/// The elements may be those of `loadingAhead`: a row near the end is read when it is seen, and so the next page is
/// loaded. Rows may be of any height. With the focus, the list takes the keys of ``ListKeys``, or those of them that
/// `keys` names; it always takes the wheel and clicks. A click selects a row, and a click on the selected one opens it,
/// as enter does. A selected row that is seen is still seen when the list gets another size. An action around the list
/// that is to win gets its key by `onKey(beforeInner: true)`.
///
/// If ``Rows`` know how to load what is missing, the keys to the end load it, and the last row stays selected while
/// rows arrive. The next key, click or turn of the wheel ends that. Escape does nothing else then, and the keys to the
/// end do nothing.
public struct List: Element {
    private let state: ListState
    private let count: Int
    private let isFocused: Bool
    private let keys: ListKeys
    private let opensAtOnce: Bool
    private let open: (@MainActor (Int) -> Void)?
    private let focus: (@MainActor () -> Void)?
    private let isSelectable: @MainActor (Int) -> Bool
    private let loadRest: (@MainActor @Sendable () async -> Void)?
    private let row: @MainActor (Int, RowState) -> any Element

    /// Makes a list.
    ///
    /// - Parameters:
    ///   - elements: what the rows are made of.
    ///   - state: the selection and the place, which the component keeps.
    ///   - isFocused: whether the list takes keys.
    ///   - keys: the keys that it takes then.
    ///   - isSelectable: whether a row can be selected; headings and texts cannot.
    ///   - opensAtOnce: whether the first click opens a row, as in a menu.
    ///   - open: runs when the person opens a row, with its index.
    ///   - focus: runs when the person clicks at the list.
    ///   - row: makes a row.
    public init<Elements: RandomAccessCollection & Sendable>(
        _ elements: Elements, _ state: ListState, isFocused: Bool = true, keys: ListKeys = .all,
        isSelectable: (@MainActor (Elements.Element) -> Bool)? = nil, opensAtOnce: Bool = false,
        open: (@MainActor (Int) -> Void)? = nil, focus: (@MainActor () -> Void)? = nil,
        row: @escaping @MainActor (Elements.Element, RowState) -> any Element
    ) {
        self.state = state
        self.isFocused = isFocused
        self.keys = keys
        self.opensAtOnce = opensAtOnce
        self.open = open
        self.focus = focus
        count = elements.count
        loadRest = (elements as? any RowsWithRest)?.loadRest
        if let isSelectable {
            self.isSelectable = { isSelectable(elements[elements.index(elements.startIndex, offsetBy: $0)]) }
        } else {
            self.isSelectable = { _ in true }
        }
        self.row = { row(elements[elements.index(elements.startIndex, offsetBy: $0)], $1) }
    }

    public func size(within limits: Size, of frame: Frame) -> Size {
        var height = 0
        for index in 0..<count {
            height += rowHeight(index, limits.width, of: frame)
            if height >= limits.height { break }
        }
        return Size(width: limits.width, height: min(limits.height, height))
    }

    public func flexibility(of frame: Frame) -> Flexibility { .filling }

    public func draw(in rect: Rect, of frame: Frame) {
        state.count = count
        if rect.size != state.size { keepSelectionSeen() }
        state.size = rect.size
        state.isSelectable = isSelectable
        state.settleSelection()
        frame.onMouse(in: rect) { take($0, in: rect) }
        if isFocused || state.isGoingToEnd { frame.onKey { [components = frame.components] in take($0, components) } }
        state.places = []
        guard count > 0, !rect.isEmpty else { return }
        var heights = RowHeights { rowHeight($0, rect.width, of: frame) }
        if state.isSelectionHidden { reveal(rect.height, &heights) }
        settle(rect.height, &heights)
        let clip = frame.canvas.clip
        defer { frame.canvas.clip = clip }
        frame.canvas.clip = clip.intersection(rect)
        var top = -state.offset
        var index = state.first
        while index < count, top < rect.height {
            let height = heights[index]
            let place = Rect(column: rect.column, row: rect.row + top, width: rect.width, height: height)
            draw(index, in: place, of: frame)
            state.places.append(ListState.Place(index: index, top: top, height: height))
            top += height
            index += 1
        }
        state.isSelectionSeen = state.places.contains { $0.index == state.selection }
        drawBar(in: rect, of: frame)
    }

    // MARK: - Rows

    @MainActor
    private func element(_ index: Int) -> any Element {
        row(index, RowState(isSelected: index == state.selection, isFocused: isFocused))
    }

    @MainActor
    private func rowHeight(_ index: Int, _ width: Int, of frame: Frame) -> Int {
        max(1, element(index).size(within: Size(width: width, height: 1_000_000), of: frame).height)
    }

    @MainActor
    private func draw(_ index: Int, in rect: Rect, of frame: Frame) {
        element(index).draw(in: rect, of: frame)
        guard index == state.selection else { return }
        let selection = frame.selectionStyle(isFocused: isFocused)
        frame.canvas.restyle(rect) { style in
            if selection.isReversed {
                // Reversed colours would not be readable.
                (style.foreground, style.background, style.isDim, style.isReversed) = (nil, nil, false, true)
            }
            if let background = selection.background { style.background = background }
            if style.foreground == nil { style.foreground = selection.foreground }
            if selection.isBold { style.isBold = true }
        }
    }

    /// Draws the thumb of a scroll bar at the right edge, if not all rows are seen.
    @MainActor
    private func drawBar(in rect: Rect, of frame: Frame) {
        guard let last = state.places.last,
            state.first > 0 || state.offset > 0 || last.index < count - 1
                || last.top + last.height > rect.height, rect.height > 2, rect.width > 1
        else { return }
        let seen = max(1, state.places.count)
        let length = max(1, min(rect.height, rect.height * seen / max(seen, count)))
        let hidden = max(1, count - seen)
        let top = min(rect.height - length, (rect.height - length) * state.first / hidden)
        let edge = rect.cuttingLeft(rect.width - 1).rest
        for row in top..<top + length {
            frame.canvas.draw("\u{2590}", in: edge.line(row), style: frame.theme.hint)
        }
    }

    // MARK: - Scrolling

    /// Scrolls to a selected row that is seen in a list that gets another size. A list that begins with a text, and is
    /// at its beginning, stays there: the text is read.
    @MainActor
    private func keepSelectionSeen() {
        if count > 0, !isSelectable(0), state.first == 0, state.offset == 0 { return }
        if state.isSelectionSeen { state.isSelectionHidden = true }
    }

    /// Scrolls so that the selected row is seen, whole if it fits.
    @MainActor
    private func reveal(_ height: Int, _ heights: inout RowHeights) {
        state.isSelectionHidden = false
        let selection = state.selection
        if selection <= state.first {
            if selection < state.first || state.offset > 0 { (state.first, state.offset) = (selection, 0) }
            return
        }
        if selection - state.first <= height {
            let above = (state.first..<selection).reduce(-state.offset) { $0 + heights[$1] }
            if above + heights[selection] <= height { return }
        }
        var (first, sum) = (selection, heights[selection])
        if sum >= height {
            (state.first, state.offset) = (selection, 0)
            return
        }
        while first > 0, sum < height {
            first -= 1
            sum += heights[first]
        }
        (state.first, state.offset) = (first, max(0, sum - height))
    }

    /// Brings the place into range: the offset into the first row, and no empty lines at the end.
    @MainActor
    private func settle(_ height: Int, _ heights: inout RowHeights) {
        state.first = max(0, min(state.first, count - 1))
        while state.offset >= heights[state.first], state.first < count - 1 {
            state.offset -= heights[state.first]
            state.first += 1
        }
        while state.offset < 0, state.first > 0 {
            state.first -= 1
            state.offset += heights[state.first]
        }
        state.offset = max(0, min(state.offset, heights[state.first] - 1))
        var (below, index) = (-state.offset, state.first)
        while index < count, below < height {
            below += heights[index]
            index += 1
        }
        guard below < height else { return }
        var free = height - below
        state.offset -= free
        free = 0
        while state.offset < 0, state.first > 0 {
            state.first -= 1
            state.offset += heights[state.first]
        }
        state.offset = max(0, state.offset)
    }

    // MARK: - Input

    @MainActor
    private func take(_ key: Key, _ components: ComponentCache) -> Bool {
        let isTaken = isFocused && keys.contains(key)
        let isToEnd = isTaken && ListState.endKeys.contains(key)
        if state.isGoingToEnd {
            if isToEnd { return true }
            state.stay()
            if key == .escape { return true }
        }
        guard isTaken else { return false }
        if isToEnd, let loadRest { state.goToEnd(loadRest) { components.changed() } }
        if key == .enter, let open, count > 0 {
            open(state.selection)
            return true
        }
        return state.press(key)
    }

    @MainActor
    private func take(_ event: MouseEvent, in rect: Rect) -> Bool {
        if case .release = event.action { return false }
        state.stay()
        switch event.action {
        case .wheelUp: state.scroll(by: -3)
        case .wheelDown: state.scroll(by: 3)
        case .press(button: 0):
            focus?()
            guard let index = state.index(atLine: event.row - rect.row) else { return focus != nil }
            let isOpened = index == state.selection && isFocused || opensAtOnce
            state.selection = index
            if isOpened { open?(index) }
        default: return false
        }
        return true
    }
}

/// The heights of rows, each measured once in a frame.
@MainActor
private struct RowHeights {
    private var known: [Int: Int] = [:]
    private let measure: (Int) -> Int

    init(_ measure: @escaping (Int) -> Int) { self.measure = measure }

    subscript(index: Int) -> Int {
        mutating get {
            if let height = known[index] { return height }
            let height = measure(index)
            known[index] = height
            return height
        }
    }
}
