extension HTML: ExpressibleByStringInterpolation {
    /// Collects the literals and the values of one piece.
    public struct StringInterpolation: StringInterpolationProtocol {
        private var place = MarkupPlace()
        private var output: [UInt8] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            output.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// The whole piece; the word `refused` if it ends inside of markup.
        fileprivate var piece: [UInt8] { place.isText ? output : Escaping.refused }

        public mutating func appendLiteral(_ literal: String) {
            var literal = literal
            literal.withUTF8 { bytes in
                place.read(bytes)
                output.append(contentsOf: bytes)
            }
        }

        // MARK: - Data

        /// Writes a text, escaped for its place.
        public mutating func appendInterpolation(_ text: String) {
            switch place.kind {
            case .text: Escaping.text(text, into: &output)
            case .attribute: Escaping.attribute(text, into: &output)
            case .url(let isBegun):
                let url = isBegun ? WebAddress.encoded(text, keepingColons: false) : WebAddress.checked(text)
                Escaping.attribute(url, into: &output)
            case .script: Escaping.json(text, into: &output)
            case .refused: output += Escaping.refused
            }
            place.noteValue()
        }

        /// Writes an address of this site.
        public mutating func appendInterpolation(_ address: WebAddress) {
            switch place.kind {
            case .url(false), .attribute: Escaping.attribute(address.text, into: &output)
            case .text: Escaping.text(address.text, into: &output)
            case .script: Escaping.json(address.text, into: &output)
            case .url(true), .refused: output += Escaping.refused
            }
            place.noteValue()
        }

        public mutating func appendInterpolation(_ number: Int) { append(number: String(number)) }
        public mutating func appendInterpolation(_ number: Double) {
            // JSON has no word for the others.
            append(number: number.isFinite ? String(number) : "0")
        }

        private mutating func append(number: String) {
            if case .refused = place.kind { output += Escaping.refused } else { output.append(contentsOf: number.utf8) }
            place.noteValue()
        }

        // MARK: - Pieces

        public mutating func appendInterpolation(_ piece: HTML) {
            if case .text = place.kind { output += piece.bytes } else { output += Escaping.refused }
        }

        public mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { appendInterpolation(piece) }
        }

        /// Writes nothing for nil.
        public mutating func appendInterpolation(_ piece: HTML?) {
            if let piece { appendInterpolation(piece) }
        }

        // MARK: - Attributes

        /// Writes an attribute inside of a tag, with a space before it; nothing for nil.
        ///
        ///     "<a href=\"/\"\("aria-current", is: isHere ? "page" : nil)>"
        public mutating func appendInterpolation(_ name: StaticString, is value: String?) {
            guard let value else { return }
            guard place.isInTag else {
                output += Escaping.refused
                return
            }
            appendLiteral(" \(name)=\"")
            appendInterpolation(value)
            appendLiteral("\"")
        }

        /// Writes the name of an attribute if the condition holds.
        public mutating func appendInterpolation(_ name: StaticString, if condition: Bool) {
            guard condition else { return }
            guard place.isInTag else {
                output += Escaping.refused
                return
            }
            appendLiteral(" \(name)")
        }
    }

    public init(stringLiteral value: String) {
        var place = MarkupPlace()
        var value = value
        let bytes = value.withUTF8 { bytes in
            place.read(bytes)
            return Array(bytes)
        }
        self.init(markup: place.isText ? bytes : Escaping.refused)
    }

    public init(stringInterpolation: StringInterpolation) { self.init(markup: stringInterpolation.piece) }
}
