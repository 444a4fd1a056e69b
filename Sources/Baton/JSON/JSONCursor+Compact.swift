extension JSONCursor {
    /// The text of a value without the space between its parts and with its strings spelled in one way, so that the
    /// same value sent with other spacing or escapes is the same text. Numbers stay as they were written: they may be
    /// beyond what a double can hold.
    ///
    /// The range must be one that `skipValue` went past.
    func compactText(_ range: Range<Int>) -> String {
        let isCompact = run(range).allSatisfy { $0 > 0x20 && $0 != 0x5C }
        return isCompact ? text(range) : respelled(range)
    }

    @inline(never)
    private func respelled(_ range: Range<Int>) -> String {
        var cursor = self
        cursor.position = range.lowerBound
        var printer = JSONPrinter()
        printer.bytes.reserveCapacity(range.count)
        while cursor.position < range.upperBound {
            let byte = cursor.next
            if byte == 0x22 {
                // It was read before, so it is a string.
                guard let token = try? cursor.string() else { return text(range) }
                printer.printString(text(token))
            } else {
                if byte > 0x20 { printer.bytes.append(byte) }
                cursor.position &+= 1
            }
        }
        return String(decoding: printer.bytes, as: UTF8.self)
    }
}
