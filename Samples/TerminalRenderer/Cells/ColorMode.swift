/// The colours that a terminal has and that the user wants.
public enum ColorMode: Hashable, Sendable, CaseIterable {
    /// Attributes only: bold, dim, italic, underlined, reversed.
    case none
    /// The sixteen colours of the palette.
    case sixteen
    /// 256 colours.
    case extended
    /// Colours of 24 bits.
    case trueColor

    /// The mode of an environment. A `NO_COLOR` that is not empty turns colours off, and so does a terminal called
    /// `dumb`. `COLORTERM` and `TERM` tell of more than sixteen colours.
    public init(environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        if isRefused || terminal == "dumb" {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || terminal.hasSuffix("-direct") {
            self = .trueColor
        } else {
            self = terminal.contains("256color") ? .extended : .sixteen
        }
    }
}
