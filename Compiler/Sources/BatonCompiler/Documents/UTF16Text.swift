/// Text in UTF-16, which PowerShell writes for the redirected output of a command.
enum UTF16Text {
    /// Converts the text to UTF-8 without a byte order mark. Lines and columns count characters, so that they do not
    /// change.
    ///
    /// Nil if the bytes do not begin with a byte order mark of UTF-16, or are not valid UTF-16.
    static func utf8(of bytes: [UInt8]) -> [UInt8]? {
        let isLittleEndian: Bool
        if bytes.starts(with: [0xFF, 0xFE]) {
            isLittleEndian = true
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            isLittleEndian = false
        } else {
            return nil
        }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).lazy.map { offset in
            let pair = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
            return isLittleEndian ? pair.1 << 8 | pair.0 : pair.0 << 8 | pair.1
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2)
        let isMistaken = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true) {
            text.append($0)
        }
        return isMistaken ? nil : text
    }
}
