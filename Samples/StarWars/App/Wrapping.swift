import TerminalRenderer

extension StringProtocol {
    /// The text in lines of at most this number of columns, broken at spaces; a longer word is cut into pieces.
    ///
    /// With a width of 0, the result is empty.
    func wrapped(toWidth width: Int) -> [String] {
        guard width > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in split(whereSeparator: \.isWhitespace) {
            for piece in word.pieces(ofWidth: width) {
                if line.isEmpty {
                    line = piece
                } else if line.displayWidth + 1 + piece.displayWidth <= width {
                    line += " " + piece
                } else {
                    lines.append(line)
                    line = piece
                }
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private func pieces(ofWidth width: Int) -> [String] {
        guard displayWidth > width else { return [String(self)] }
        var pieces: [String] = []
        var piece = ""
        for character in self {
            if !piece.isEmpty, piece.displayWidth + character.displayWidth > width {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        return pieces + [piece]
    }
}
