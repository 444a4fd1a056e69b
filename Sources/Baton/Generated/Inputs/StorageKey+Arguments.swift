extension StorageKey {
    /// The key of a field with these arguments, which may be in any order.
    package init(_ field: String, _ arguments: [(String, JSONValue)]) {
        guard !arguments.isEmpty else {
            self.init(field)
            return
        }
        var printer = JSONPrinter(isCanonical: true)
        printer.bytes.append(contentsOf: field.utf8)
        for (index, argument) in arguments.sorted(by: { $0.0 < $1.0 }).enumerated() {
            printer.bytes.append(index == 0 ? UInt8(ascii: "(") : UInt8(ascii: ","))
            printer.bytes.append(contentsOf: argument.0.utf8)
            printer.bytes.append(UInt8(ascii: ":"))
            printer.print(argument.1)
        }
        printer.bytes.append(UInt8(ascii: ")"))
        self.init(String(decoding: printer.bytes, as: UTF8.self))
    }
}
