extension JSONValue {
    /// Returns where the elements of a document that is an array stand; nil if it is something else. The document is
    /// checked as `parse` checks it.
    package static func elements(of bytes: [UInt8]) throws(JSONValue.ParseError) -> [Range<Int>]? {
        try pieces(of: bytes, between: 0x5B, 0x5D) { (cursor) throws(JSONFailure) in
            try cursor.skipPiece()
        }
    }

    /// Returns where the values of the members of a document that is an object stand; nil if it is something else. A
    /// member that is there twice counts with its last value. The document is checked as `parse` checks it.
    package static func members(of bytes: [UInt8]) throws(JSONValue.ParseError) -> [String: Range<Int>]? {
        let members = try pieces(of: bytes, between: 0x7B, 0x7D) { (cursor) throws(JSONFailure) in
            let name = cursor.text(try cursor.string())
            try cursor.expectColon()
            return (name, try cursor.skipPiece())
        }
        return members.map { Dictionary($0) { $1 } }
    }

    private static func pieces<Piece>(
        of bytes: [UInt8], between open: UInt8, _ close: UInt8,
        _ piece: (inout JSONCursor) throws(JSONFailure) -> Piece
    ) throws(JSONValue.ParseError) -> [Piece]? {
        do {
            return try JSONCursor.read(bytes) { (cursor) throws(JSONFailure) -> [Piece]? in
                cursor.begin()
                guard cursor.next == open else { return nil }
                var pieces: [Piece] = []
                cursor.position += 1
                cursor.skipSpace()
                if cursor.next == close {
                    cursor.position += 1
                } else {
                    repeat { pieces.append(try piece(&cursor)) } while try cursor.continues(until: close)
                }
                try cursor.expectEnd()
                return pieces
            }
        } catch {
            throw JSONValue.ParseError(error)
        }
    }
}

extension JSONCursor {
    /// Moves past a value inside of one container, and returns where it stands.
    fileprivate mutating func skipPiece() throws(JSONFailure) -> Range<Int> {
        let start = position
        try skipValue(depth: 1)
        return start..<position
    }
}
