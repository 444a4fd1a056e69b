extension JSONCursor {
    /// Returns the text of a value without space between its parts and with one spelling of its strings.
    ///
    /// The same value sent with other spacing or escapes gives the same text. Numbers stay as they were written, since
    /// a double may not hold them. The range must be one that `skipValue` has moved past.
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
                // The value was read before, so the string is well formed.
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
