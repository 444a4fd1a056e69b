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
        didSet { if selection != oldValue { isSelectionHidden = true } }
    }
    /// The first row that is seen, and the number of its lines above the top.
    var first = 0
    var offset = 0
    /// True if the selection must be scrolled to.
    var isSelectionHidden = false

    /// The numbers of the last frame.
    public internal(set) var count = 0
    var height = 0
    var places: [Place] = []

    /// Makes a state for a list that begins at its top.
    public init() {}

    /// Goes back to the first row, for another list.
    public func reset() {
        (selection, first, offset, isSelectionHidden) = (0, 0, 0, false)
    }

    /// Moves by rows; a selected row that is higher than the list is scrolled through first.
    public func move(by rows: Int) {
        if let place = places.first(where: { $0.index == selection }), abs(rows) == 1 {
            if rows > 0, place.top + place.height > height, height > 0 {
                return scroll(by: min(3, place.top + place.height - height))
            }
            if rows < 0, place.top < 0 { return scroll(by: max(-3, place.top)) }
        }
        selection = max(0, min(count - 1, selection + rows))
        isSelectionHidden = true
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
        case .home, .character("g"): (selection, isSelectionHidden) = (0, true)
        case .end, .character("G"): (selection, isSelectionHidden) = (max(0, count - 1), true)
        default: return false
        }
        return true
    }

    /// The index of the row at a line of the list in the last frame; nil where there is none.
    func index(atLine line: Int) -> Int? {
        places.first { ($0.top..<$0.top + $0.height).contains(line) }?.index
    }
}
