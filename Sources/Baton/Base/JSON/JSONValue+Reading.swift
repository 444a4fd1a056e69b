extension JSONValue {
    /// Reads a document as strictly as responses are read (RFC 8259): UTF-8, only space around one value, at most 256
    /// levels deep.
    ///
    /// A byte order mark at the beginning is skipped. An escape that is half of a surrogate pair is read as U+FFFD. If
    /// members have the same name, byte by byte, the last one counts. A number beyond the range of a double is
    /// infinite. Throws at the first byte that is no JSON, and at the first level that is too deep.
    public static func parse(_ bytes: [UInt8]) throws(JSONValue.ParseError) -> JSONValue {
        try read(bytes) { (cursor) throws(JSONFailure) in try cursor.value(depth: 0) }
    }

    /// Checks a document as `parse` does, without building a value. Benchmarks use the time as the least cost of
    /// reading a response.
    package static func check(_ bytes: [UInt8]) throws(JSONValue.ParseError) {
        try read(bytes) { (cursor) throws(JSONFailure) in try cursor.skipValue(depth: 0) }
    }

    private static func read<Result>(
        _ bytes: [UInt8], _ body: (inout JSONCursor) throws(JSONFailure) -> Result
    ) throws(JSONValue.ParseError) -> Result {
        do {
            return try JSONCursor.read(bytes) { (cursor) throws(JSONFailure) in
                cursor.begin()
                let result = try body(&cursor)
                try cursor.expectEnd()
                return result
            }
        } catch {
            throw JSONValue.ParseError(error)
        }
    }

    /// Reads a document from text; throws as the other method does.
    public static func parse(_ text: String) throws(JSONValue.ParseError) -> JSONValue {
        try parse(Array(text.utf8))
    }
}
