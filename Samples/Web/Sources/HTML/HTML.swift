/// A piece of HTML. Data becomes part of it only by escaping, so that no data can add markup.
///
/// A literal is markup. What is interpolated is escaped for the place where it stands:
///
///     let row: HTML = "<li title=\"\(film.director)\"><a href=\"\(film.site)\">\(film.title)</a> \(stars)</li>"
///
/// - In a text, `&`, `<` and `>` are written as references.
/// - In an attribute in quotes, so are the quotes.
/// - In an attribute that is a URL, a URL that is no `http`, `https` or `mailto` and no path of this site becomes `#`.
///   After the beginning of a URL everything is encoded that means something there.
/// - In a `script`, a string becomes a string of JSON, in which no text ends the element.
/// - Everywhere else, as in the name of a tag, in `style` or in `onclick`, the word `refused` stands instead.
///
/// A value of type `HTML` is kept, and may only stand in a text. It is a whole piece: markup that is open at its end,
/// such as a tag without `>`, is refused as well.
public struct HTML: Sendable, Hashable {
    /// The text, in UTF-8.
    public private(set) var bytes: [UInt8]

    init(markup bytes: [UInt8]) { self.bytes = bytes }

    /// The empty piece.
    public init() { bytes = [] }

    /// The text, as a string.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// True if there is nothing.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Adds a piece.
    public static func += (left: inout HTML, right: HTML) { left.bytes += right.bytes }

    /// Puts two pieces together.
    public static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.bytes + right.bytes) }
}
