extension JSONValue {
    /// A text that is the same for all equal values.
    package var canonicalText: String {
        var printer = JSONPrinter()
        printer.isCanonical = true
        printer.print(self)
        return String(decoding: printer.bytes, as: UTF8.self)
    }
}
