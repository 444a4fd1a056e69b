extension JSONValue {
    /// The text that equal values have in common.
    var canonicalText: String {
        var printer = JSONPrinter()
        printer.isCanonical = true
        printer.print(self)
        return String(decoding: printer.bytes, as: UTF8.self)
    }
}
