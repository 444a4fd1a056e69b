extension JSONValue {
    /// The value as compact JSON in UTF-8, with members in their order. A double that is not a number becomes null. An
    /// infinite double becomes a number beyond the range of a double.
    public var jsonBytes: [UInt8] {
        var printer = JSONPrinter()
        // The body of a request has some hundred bytes.
        if case .object = self { printer.bytes.reserveCapacity(256) }
        printer.print(self)
        return printer.bytes
    }

    /// The value as compact JSON.
    public var text: String { String(decoding: jsonBytes, as: UTF8.self) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { text }
}
