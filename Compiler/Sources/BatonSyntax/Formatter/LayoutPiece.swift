/// A part of a laid out text.
///
/// A group is printed on one line if it fits there, with the text up to the next place where a line may break;
/// otherwise each of its own lines breaks. A piece that always breaks its line breaks the groups around it.
enum LayoutPiece {
    /// A range of the source.
    case source(UInt32, UInt32)
    /// A range of the source with line breaks, which stay as they are.
    case verbatim(UInt32, UInt32)
    case string([UInt8])
    /// A gap that is not a line break.
    case gap(LayoutGap)
    /// A place where the group around it may break its line.
    case line(LayoutGap, isBlank: Bool)
    /// A line break, with a blank line before it if `isBlank`.
    case hardLine(isBlank: Bool)
    /// A comment, which a line break follows.
    case comment(UInt32, UInt32, isTrailing: Bool)
    case indent
    case outdent
    case openGroup
    case closeGroup
}

/// What stands between two tokens.
enum LayoutGap {
    case none
    case space
    /// Nothing, or a line break.
    case softLine
    /// A space, or a line break.
    case line
    /// A comma and a space, or a line break.
    case comma
    /// In front of the first member of a union or the first directive location.
    case firstBar
    case bar
    /// In front of the first interface. The line breaks only behind a comment.
    case firstAmpersand
    case ampersand
    /// A line break.
    case hardLine

    /// The text in a group on one line.
    var flat: StaticString {
        switch self {
        case .none, .softLine, .hardLine: ""
        case .space, .line, .firstBar, .firstAmpersand: " "
        case .comma: ", "
        case .bar: " | "
        case .ampersand: " & "
        }
    }

    /// The text behind the line break in a broken group.
    var broken: StaticString {
        switch self {
        case .firstBar, .bar: "| "
        case .firstAmpersand, .ampersand: "& "
        default: ""
        }
    }

    /// Whether a line may break here.
    var isLine: Bool { self != .none && self != .space }
}
