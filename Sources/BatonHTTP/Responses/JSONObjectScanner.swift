/// Finds the end of a JSON object that arrives in pieces, without parsing the object.
///
/// The scanner looks only at braces, brackets and strings. The complete object is parsed elsewhere.
struct JSONObjectScanner: Sendable {
    /// The reason why the bytes cannot be the beginning of an object.
    enum Problem: Error {
        case controlCharacter
        /// Two hyphens stand outside of a string, as at the beginning of a delimiter.
        case delimiter
    }

    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isAfterHyphen = false

    /// Looks at the bytes from an index on. Returns the index behind the object, or nil if it does not end here.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(Problem) -> Int? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInString = false
                }
                if byte < 0x20 { throw .controlCharacter }
                continue
            }
            let isHyphen = byte == 0x2D
            if isHyphen, isAfterHyphen { throw .delimiter }
            isAfterHyphen = isHyphen
            switch byte {
            case 0x22: isInString = true
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth <= 0 { return index }
            default: break
            }
        }
        return nil
    }
}
