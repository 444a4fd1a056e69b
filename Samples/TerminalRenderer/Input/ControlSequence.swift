/// A control sequence that a terminal has sent (ECMA-48, 5.4), with the meaning that xterm gave it.
struct ControlSequence {
    private let final: UInt8
    /// The numbers; nil where there is none.
    private let numbers: [Int?]
    /// True for sequences that begin with `<`, those of the mouse.
    private let isMouse: Bool

    init(final: UInt8, parameters: [UInt8]) {
        self.final = final
        isMouse = parameters.first == UInt8(ascii: "<")
        numbers = parameters.drop { $0 == UInt8(ascii: "<") }
            .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) }
    }

    private func number(_ index: Int) -> Int? { numbers.indices.contains(index) ? numbers[index] : nil }

    var beginsPaste: Bool { final == UInt8(ascii: "~") && number(0) == 200 }

    /// The event of the mouse; nil if this is another sequence, or a movement.
    var mouse: MouseEvent? {
        guard isMouse, let code = number(0), let column = number(1), let row = number(2), column > 0, row > 0,
            (0..<128).contains(code), code & 32 == 0
        else { return nil }
        var modifiers: KeyModifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let action: MouseEvent.Action
        switch (code & 64 != 0, code & 3, final) {
        case (true, 0, UInt8(ascii: "M")): action = .wheelUp
        case (true, 1, UInt8(ascii: "M")): action = .wheelDown
        case (false, 0...2, UInt8(ascii: "M")): action = .press(button: code & 3)
        case (false, 0...2, UInt8(ascii: "m")): action = .release(button: code & 3)
        default: return nil
        }
        return MouseEvent(action, column: column - 1, row: row - 1, modifiers: modifiers)
    }

    /// The key; nil if this is another sequence.
    var key: Key? {
        guard !isMouse, let key = unmodifiedKey else { return nil }
        return key.with(modifiers)
    }

    private var modifiers: KeyModifiers {
        // The second number is one more than the bits. Bits that are not known here are left out.
        guard let code = number(1), (2...256).contains(code) else { return [] }
        return KeyModifiers(rawValue: UInt8(code - 1) & 7)
    }

    private var unmodifiedKey: Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "P"): .function(1)
        case UInt8(ascii: "Q"): .function(2)
        case UInt8(ascii: "R"): .function(3)
        case UInt8(ascii: "S"): .function(4)
        case UInt8(ascii: "Z"): .shift(.tab)
        case UInt8(ascii: "~"): number(0).flatMap { Self.keys[$0] }
        default: nil
        }
    }

    private static let keys: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
        18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
    ]
}
