/// A colour of characters or of their background.
///
/// A renderer replaces a colour that the terminal does not have by the nearest one that it has (``ColorMode``).
public struct Color: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// One of the sixteen colours whose look the user chooses.
        case basic(UInt8)
        /// One of the 256 colours of most terminals, from 16 on.
        case indexed(UInt8)
        case rgb(red: UInt8, green: UInt8, blue: UInt8)
    }

    let kind: Kind

    /// Makes one of the 256 colours of most terminals. The first sixteen are those of the palette.
    public static func indexed(_ index: UInt8) -> Color {
        Color(kind: index < 16 ? .basic(index) : .indexed(index))
    }

    /// Makes a colour from 24 bits, such as `0xFFE81F`; higher bits are ignored.
    public static func rgb(_ bits: UInt32) -> Color {
        Color(
            kind: .rgb(
                red: UInt8(truncatingIfNeeded: bits >> 16), green: UInt8(truncatingIfNeeded: bits >> 8),
                blue: UInt8(truncatingIfNeeded: bits)))
    }

    /// Makes a colour from six hexadecimal digits, with or without a `#` before them; nil for any other text.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let bits = UInt32(digits, radix: 16) else {
            return nil
        }
        self = .rgb(bits)
    }

    /// Black or white, whichever can be read better on this colour.
    public var readable: Color {
        let (red, green, blue) = levels
        return .rgb(299 * red + 587 * green + 114 * blue > 128_000 ? 0 : 0xFFFFFF)
    }

    private init(kind: Kind) { self.kind = kind }

    /// Colour 0 of the palette.
    public static let black = indexed(0)
    /// Colour 1 of the palette.
    public static let red = indexed(1)
    /// Colour 2 of the palette.
    public static let green = indexed(2)
    /// Colour 3 of the palette.
    public static let yellow = indexed(3)
    /// Colour 4 of the palette.
    public static let blue = indexed(4)
    /// Colour 5 of the palette.
    public static let magenta = indexed(5)
    /// Colour 6 of the palette.
    public static let cyan = indexed(6)
    /// Colour 7 of the palette.
    public static let white = indexed(7)
    /// Colour 8 of the palette.
    public static let brightBlack = indexed(8)
    /// Colour 9 of the palette.
    public static let brightRed = indexed(9)
    /// Colour 10 of the palette.
    public static let brightGreen = indexed(10)
    /// Colour 11 of the palette.
    public static let brightYellow = indexed(11)
    /// Colour 12 of the palette.
    public static let brightBlue = indexed(12)
    /// Colour 13 of the palette.
    public static let brightMagenta = indexed(13)
    /// Colour 14 of the palette.
    public static let brightCyan = indexed(14)
    /// Colour 15 of the palette.
    public static let brightWhite = indexed(15)
    /// The sixteen colours of the palette.
    public static let basic = (UInt8(0)..<16).map { indexed($0) }

    /// The nearest colour that a terminal of this mode has; nil without colours.
    public func reduced(to mode: ColorMode) -> Color? {
        switch (mode, kind) {
        case (.none, _): nil
        case (_, .basic), (.trueColor, _), (.extended, .indexed): self
        case (.extended, .rgb): .indexed(nearestIndex)
        case (.sixteen, _): basicColor
        }
    }

    /// The colour of the palette with this hue, or the grey with this brightness. The distance alone would make a light
    /// green yellow.
    private var basicColor: Color {
        let (red, green, blue) = levels
        let (high, low) = (max(red, green, blue), min(red, green, blue))
        let spread = high - low
        guard spread * 3 > high else {
            return high < 64 ? .black : high < 160 ? .brightBlack : high < 224 ? .white : .brightWhite
        }
        // Six hues, from red to magenta, as sixths of a circle.
        let sixths =
            switch high {
            case red: Double(green - blue) / Double(spread)
            case green: 2 + Double(blue - red) / Double(spread)
            default: 4 + Double(red - green) / Double(spread)
            }
        let hues: [UInt8] = [1, 3, 2, 6, 4, 5]
        return .indexed(hues[(Int(sixths.rounded()) + 6) % 6] + (high > 200 ? 8 : 0))
    }

    /// The index of the colour from 16 on that looks most like this one.
    private var nearestIndex: UInt8 {
        let wanted = levels
        func distance(_ index: UInt8) -> Int {
            let other = Self.indexed(index).levels
            let (red, green, blue) = (wanted.0 - other.0, wanted.1 - other.1, wanted.2 - other.2)
            // The eye sees differences of green best, and of blue least.
            return 3 * red * red + 6 * green * green + blue * blue
        }
        return (UInt8(16)...255).min { distance($0) < distance($1) } ?? 16
    }

    /// Red, green and blue, as most terminals show the colour.
    private var levels: (Int, Int, Int) {
        switch kind {
        case .rgb(let red, let green, let blue): (Int(red), Int(green), Int(blue))
        case .basic(let index): Self.palette[Int(index)]
        case .indexed(let index) where index >= 232:
            { ($0, $0, $0) }(8 + 10 * (Int(index) - 232))
        case .indexed(let index):
            (Self.level(index, 36), Self.level(index, 6), Self.level(index, 1))
        }
    }

    /// One component in the cube of 6 by 6 by 6 colours that begins at 16.
    private static func level(_ index: UInt8, _ step: Int) -> Int {
        let level = (Int(index) - 16) / step % 6
        return level == 0 ? 0 : 55 + 40 * level
    }

    private static let palette = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255),
    ]

    /// The parameters of the Select Graphic Rendition sequence; `base` is 30 for characters, 40 for the background.
    func parameters(base: Int) -> String {
        switch kind {
        case .basic(let index): "\(index < 8 ? base + Int(index) : base + 52 + Int(index))"
        case .indexed(let index): "\(base + 8);5;\(index)"
        case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
        }
    }
}
