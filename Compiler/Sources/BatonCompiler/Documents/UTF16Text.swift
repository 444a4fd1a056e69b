/// Text that was saved as UTF-16, as PowerShell does when the output of a command is redirected into a file.
enum UTF16Text {
    /// The same text in UTF-8 and without a byte order mark; lines and columns count characters and stay what they are.
    ///
    /// Nil for bytes that do not begin with a byte order mark of UTF-16, or that are not valid UTF-16 behind it.
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
