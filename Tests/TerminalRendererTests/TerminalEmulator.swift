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
    private(set) var complaints: [String] = []

    private var style = Style.plain
    /// The position of the cursor. It is unknown after a character whose width differs between terminals; writing there
    /// is a complaint.
    private var cursor: Place?

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
        writes.append(place)
        // Writing over one half of a wide character erases the other, as terminals do.
        let old = cell(column: place.column, row: place.row)
        let behind = Place(column: place.column + 1, row: place.row)
        if old.isContinuation { grid[Place(column: place.column - 1, row: place.row)] = .blank }
        if !old.isContinuation, grid[behind]?.isContinuation == true { grid[behind] = .blank }
        grid[place] = Cell(character, style: style)
        if character.displayWidth == 2 {
            let next = Place(column: behind.column + 1, row: behind.row)
            if grid[behind]?.isContinuation == false, grid[next]?.isContinuation == true { grid[next] = .blank }
            grid[behind] = Cell(character, style: style, isContinuation: true)
        }
        cursor = character.isASCII ? behind : nil
    }

    private mutating func control(_ parameters: String, final: Character?) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (final, numbers) {
        case ("H", let place) where place.count == 2: cursor = Place(column: place[1] - 1, row: place[0] - 1)
        case ("J", [2]): grid = [:]
        case ("m", let attributes): for attribute in attributes { apply(attribute) }
        default: complaints.append("unknown sequence '\(parameters)\(final.map(String.init) ?? "")'")
        }
    }

    private mutating func apply(_ attribute: Int) {
        switch attribute {
        case 0: style = .plain
        case 1: style.isBold = true
        case 2: style.isDim = true
        case 7: style.isReversed = true
        case 30...37: style.foreground = Color(rawValue: UInt8(attribute - 30))
        case 40...47: style.background = Color(rawValue: UInt8(attribute - 40))
        case 90...97: style.foreground = Color(rawValue: UInt8(attribute - 82))
        case 100...107: style.background = Color(rawValue: UInt8(attribute - 92))
        default: complaints.append("unknown attribute \(attribute)")
        }
    }
}
