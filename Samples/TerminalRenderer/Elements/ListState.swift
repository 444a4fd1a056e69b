/// The selection of a list and the place to which it is scrolled. A component keeps it between frames.
@MainActor
public final class ListState {
    /// The place of a row in the last frame, relative to the top of the list.
    struct Place {
        let index: Int
        let top: Int
        let height: Int
    }

    /// The index of the selected row. The list keeps it in range when it is drawn.
    public var selection = 0 {
        didSet {
            isNew = false
            if selection != oldValue { isSelectionHidden = true }
        }
    }
    /// True until something is selected.
    var isNew = true
    /// The first row that is seen, and the number of its lines above the top.
    var first = 0
    var offset = 0
    /// True if the selection must be scrolled to.
    var isSelectionHidden = false

    /// The numbers of the last frame.
    public internal(set) var count = 0
    var size = Size(width: 0, height: 0)
    var height: Int { size.height }
    var places: [Place] = []
    /// True if a line of the selected row was seen when the list was last drawn into any space.
    var isSelectionSeen = false

    /// The way to the end of a list that is not whole.
    private final class Going {
        var task: Task<Void, Never>?
        var isOver = false
    }
    private var going: Going?

    /// True while rows are loaded because the person goes to the end of the list.
    public var isGoingToEnd: Bool { going?.isOver == false }

    /// The keys to the end.
    static let endKeys: Set<Key> = [.end, .character("G")]

    /// Whether a row can be selected.
    var isSelectable: (Int) -> Bool = { _ in true }

    /// Makes a state for a list that begins at its top.
    public init() {}

    /// The selected element of a collection; nil if it is empty. If it has become shorter, that is the last one.
    public func selected<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element? {
        guard !elements.isEmpty else { return nil }
        return elements[elements.index(elements.startIndex, offsetBy: index(in: elements.count))]
    }

    /// The index of the selected row among so many rows, of which there must be one.
    func index(in count: Int) -> Int { going == nil ? max(0, min(selection, count - 1)) : count - 1 }

    /// Goes back to the first row, for another list.
    public func reset() {
        stay()
        (selection, first, offset, isSelectionHidden) = (0, 0, 0, false)
        isNew = true
    }

    /// Moves by rows; a selected row that is higher than the list is scrolled through first.
    public func move(by rows: Int) {
        if let place = places.first(where: { $0.index == selection }), abs(rows) == 1 {
            if rows > 0, place.top + place.height > height, height > 0 {
                return scroll(by: min(3, place.top + place.height - height))
            }
            if rows < 0, place.top < 0 { return scroll(by: max(-3, place.top)) }
        }
        guard let target = selectable(from: selection + rows, towards: rows), target != selection else {
            // Rows that cannot be selected, such as a heading, are still scrolled to.
            return scroll(by: rows > 0 ? 3 : -3)
        }
        (selection, isSelectionHidden) = (target, true)
    }

    /// The nearest row that can be selected: from an index in a direction, and else in the other one.
    private func selectable(from index: Int, towards direction: Int) -> Int? {
        guard count > 0 else { return nil }
        let index = max(0, min(count - 1, index))
        let (after, before) = (index..<count, (0...index).reversed())
        return direction > 0
            ? after.first(where: isSelectable) ?? before.first(where: isSelectable)
            : before.first(where: isSelectable) ?? after.first(where: isSelectable)
    }

    /// Brings the selection into range, without scrolling.
    func settleSelection() {
        if let going {
            selection = selectable(from: count - 1, towards: -1) ?? 0
            if going.isOver { self.going = nil }
        }
        let before = (isSelectionHidden, isNew)
        selection = selectable(from: selection, towards: 1) ?? 0
        (isSelectionHidden, isNew) = before
    }

    /// Stays with the last row while more are loaded.
    ///
    /// - Parameters:
    ///   - load: loads rows; its task is cancelled when the person does something else.
    ///   - changed: asks for a frame, after the load.
    func goToEnd(_ load: @escaping @MainActor @Sendable () async -> Void, changed: @escaping @MainActor () -> Void) {
        let going = Going()
        self.going = going
        going.task = Task {
            await load()
            // The next frame has the last rows.
            going.isOver = true
            changed()
        }
    }

    /// Stays where the selection is, and cancels the load on the way to the end.
    func stay() {
        going?.task?.cancel()
        going = nil
    }

    /// Scrolls by lines, without a change of the selection.
    public func scroll(by lines: Int) { offset += lines }

    /// Moves the selection by a key; returns false for other keys.
    public func press(_ key: Key) -> Bool {
        let page = max(1, places.count - 1)
        switch key {
        case .up, .character("k"), .control("p"): move(by: -1)
        case .down, .character("j"), .control("n"): move(by: 1)
        case .pageUp, .control("b"): move(by: -page)
        case .pageDown, .control("f"), .character(" "): move(by: page)
        case .control("u"): move(by: -max(1, page / 2))
        case .control("d"): move(by: max(1, page / 2))
        case .home, .character("g"):
            (selection, first, offset) = (selectable(from: 0, towards: 1) ?? 0, 0, 0)
            isSelectionHidden = false
        case _ where Self.endKeys.contains(key):
            (selection, isSelectionHidden) = (selectable(from: count - 1, towards: -1) ?? 0, true)
        default: return false
        }
        return true
    }

    /// The index of the row at a line of the list in the last frame; nil where there is none.
    func index(atLine line: Int) -> Int? {
        places.first { ($0.top..<$0.top + $0.height).contains(line) }?.index
    }
}
