import BatonCompiler

/// Writes a table as bytes: numbers in groups of seven bits, and each text once.
struct TableWriter {
    private(set) var bytes: [UInt8] = []
    private var texts: [String: UInt64] = [:]

    mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }
    mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Eight bytes, for numbers without a pattern.
    mutating func add(hash: UInt64) {
        withUnsafeBytes(of: hash.littleEndian) { bytes += $0 }
    }

    mutating func add(_ text: String) {
        if let known = texts[text] { return add(known) }
        texts[text] = UInt64(texts.count + 1)
        add(UInt64(0))
        let utf8 = text.utf8
        add(UInt64(utf8.count))
        bytes += utf8
    }

    mutating func add<Element>(_ list: [Element], _ each: (inout TableWriter, Element) -> Void) {
        add(UInt64(list.count))
        for element in list { each(&self, element) }
    }

    mutating func add<Element>(_ value: Element?, _ present: (inout TableWriter, Element) -> Void) {
        add(value != nil)
        if let value { present(&self, value) }
    }

    mutating func add(_ path: AbsolutePath) { add(path.description) }
    mutating func add(_ texts: [String]) { add(texts) { $0.add($1) } }
}
