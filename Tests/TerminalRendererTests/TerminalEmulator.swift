@testable import TerminalRenderer

/// A screen that understands exactly the sequences of `Renderer`, and records a complaint about any other.
struct TerminalEmulator {
    struct Place: Hashable {
        var column: Int
        var row: Int
    }

    private(set) var grid: [Place: Cell] = [:]
    /// The places written since ``forgetWrites()``, in order.
    private(set) var writes: [Place] = []
    /// The written places without the second columns of wide characters, each once.
    var places: [Place] {
        writes.filter { !cell(column: $0.column, row: $0.row).isContinuation }.reduce(into: []) { places, place in
            if places.last != place { places.append(place) }
        }
    }
    private(set) var complaints: [String] = []

    private var style = Style.plain
    /// The position of the cursor. It is unknown after a character whose width differs between terminals; writing there
    /// is a complaint.
    private var cursor: Place?

    /// True for a terminal that knows no sequences: each code point has columns of its own.
    var countsCodePoints = false

    /// True between the marks of a frame.
    private(set) var isInFrame = false

    mutating func forgetWrites() {
        writes = []
    }

    /// True if the current style is plain, as it must be after each frame.
    var isPlain: Bool { style == .plain }

    mutating func feed(_ output: String) {
        var rest = Array(output)[...]
        while let character = rest.popFirst() {
            if character == "\u{1B}" {
                guard rest.popFirst() == "[" else { return complaints.append("escape without bracket") }
                let parameters = String(rest.prefix { !$0.isLetter })
                rest = rest.dropFirst(parameters.count)
                control(parameters, final: rest.popFirst())
            } else {
                write(character)
            }
        }
    }

    func cell(column: Int, row: Int) -> Cell {
        grid[Place(column: column, row: row)] ?? .blank
    }

    private mutating func write(_ character: Character) {
        guard let place = cursor else { return complaints.append("'\(character)' at an unknown place") }
        if !isInFrame { complaints.append("'\(character)' outside of a frame") }
        if writes.last != place { writes.append(place) }
        if countsCodePoints {
            var column = place.column
            for scalar in character.unicodeScalars {
                let isSpacing = scalar.properties.generalCategory == .spacingMark
                let width = isSpacing ? 1 : Character(scalar).displayWidth
                if width > 0 { put(Character(scalar), width: width, at: Place(column: column, row: place.row)) }
                column += width
            }
        } else {
            put(character, width: max(1, character.displayWidth), at: place)
        }
        cursor = character.hasCertainWidth ? Place(column: place.column + character.displayWidth, row: place.row) : nil
    }

    private mutating func put(_ character: Character, width: Int, at place: Place) {
        let columns = place.column..<place.column + width
        // Writing over one part of a wide character erases the others, as terminals do.
        for column in columns { erase(at: column, place.row) }
        for column in columns {
            let isContinuation = column > place.column
            grid[Place(column: column, row: place.row)] = Cell(character, style: style, isContinuation: isContinuation)
        }
    }

    private mutating func erase(at column: Int, _ row: Int) {
        var (first, end) = (column, column + 1)
        while cell(column: first, row: row).isContinuation { first -= 1 }
        while cell(column: end, row: row).isContinuation { end += 1 }
        for column in first..<end { grid[Place(column: column, row: row)] = .blank }
    }

    private mutating func control(_ parameters: String, final: Character?) {
        if parameters == "?2026", let final, "hl".contains(final) {
            if isInFrame == (final == "h") { complaints.append("marks of frames that do not alternate") }
            isInFrame = final == "h"
            return
        }
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (final, numbers) {
        case ("H", let place) where place.count == 2: cursor = Place(column: place[1] - 1, row: place[0] - 1)
        case ("J", [2]): grid = [:]
        case ("m", let attributes): apply(attributes[...])
        default: complaints.append("unknown sequence '\(parameters)\(final.map(String.init) ?? "")'")
        }
    }

    private mutating func apply(_ attributes: ArraySlice<Int>) {
        var rest = attributes
        while let attribute = rest.popFirst() {
            switch attribute {
            case 0: style = .plain
            case 1: style.isBold = true
            case 2: style.isDim = true
            case 3: style.isItalic = true
            case 4: style.isUnderlined = true
            case 7: style.isReversed = true
            case 30...37: style.foreground = .indexed(UInt8(attribute - 30))
            case 40...47: style.background = .indexed(UInt8(attribute - 40))
            case 90...97: style.foreground = .indexed(UInt8(attribute - 82))
            case 100...107: style.background = .indexed(UInt8(attribute - 92))
            case 38: style.foreground = color(&rest)
            case 48: style.background = color(&rest)
            default: complaints.append("unknown attribute \(attribute)")
            }
        }
    }

    private func color(_ rest: inout ArraySlice<Int>) -> Color? {
        switch rest.popFirst() {
        case 5: rest.popFirst().map { .indexed(UInt8($0)) }
        case 2:
            rest.popFirst().flatMap { red in
                rest.popFirst().flatMap { green in
                    rest.popFirst().map { .rgb(UInt32(red) << 16 | UInt32(green) << 8 | UInt32($0)) }
                }
            }
        default: nil
        }
    }
}
