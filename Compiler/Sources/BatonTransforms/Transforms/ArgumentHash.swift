import BatonSyntax

/// Names the copies of fragments after their arguments, as Relay's compiler does.
package enum ArgumentHash {
    /// `_` and the hash of the arguments; empty without arguments.
    package static func suffix(of arguments: [Argument]) -> String {
        if arguments.isEmpty { return "" }
        return "_" + base62(murmur3(Array(text(of: arguments).utf8)))
    }

    /// The hashed text. Arguments are sorted by name; in an object with variables the braces are doubled.
    static func text(of arguments: [Argument]) -> String {
        let sorted = arguments.sorted { Array($0.name.text.utf8).lexicographicallyPrecedes(Array($1.name.text.utf8)) }
        return "[" + sorted.map { entry($0.name.text, text(of: $0.value)) }.joined(separator: ",") + "]"
    }

    private static func entry(_ name: String, _ value: String) -> String {
        "{\"name\":\"\(name)\",\"value\":\(value)}"
    }

    /// The parser's nesting limit bounds the recursion.
    private static func text(of value: Value) -> String {
        switch value {
        case .variable(let variable): "{\"variable\":\"\(variable.name)\"}"
        case .list(let list) where value.hasVariables:
            "{\"list\":[" + list.values.map(text).joined(separator: ",") + "]}"
        case .object(let object) where value.hasVariables:
            "{\"object\":{" + object.fields.map { entry($0.name.text, text(of: $0.value)) }.joined(separator: ",")
                + "}}"
        default: "{\"value\":\(constant(value))}"
        }
    }

    private static func constant(_ value: Value) -> String {
        switch value {
        case .variable: ""
        case .int(let number): number.text
        case .float(let number): DecimalText.plain(number.text)
        case .string(let string): "\"\(string.escapedText ?? string.text)\""
        case .boolean(let boolean): boolean.isTrue ? "true" : "false"
        case .null: "null"
        case .enum(let name): "\"\(name.text)\""
        case .list(let list): "[" + list.values.map(constant).joined(separator: ",") + "]"
        case .object(let object):
            "{" + object.fields.map { "\"\($0.name.text)\":" + constant($0.value) }.joined(separator: ",") + "}"
        }
    }

    // MARK: - Numbers

    /// MurmurHash3 for 32 bits, with the seed 0.
    ///
    /// Reference: https://github.com/aappleby/smhasher/wiki/MurmurHash3
    static func murmur3(_ bytes: [UInt8]) -> UInt32 {
        var hash: UInt32 = 0
        var index = 0
        while index + 4 <= bytes.count {
            var block: UInt32 = 0
            for offset in 0..<4 { block |= UInt32(bytes[index + offset]) << UInt32(8 * offset) }
            hash = rotated(hash ^ scrambled(block), by: 13) &* 5 &+ 0xE654_6B64
            index += 4
        }
        var rest: UInt32 = 0
        for offset in 0..<(bytes.count - index) { rest |= UInt32(bytes[index + offset]) << UInt32(8 * offset) }
        if index < bytes.count { hash ^= scrambled(rest) }
        hash ^= UInt32(truncatingIfNeeded: bytes.count)
        hash = (hash ^ (hash >> 16)) &* 0x85EB_CA6B
        hash = (hash ^ (hash >> 13)) &* 0xC2B2_AE35
        return hash ^ (hash >> 16)
    }

    private static func scrambled(_ block: UInt32) -> UInt32 {
        rotated(block &* 0xCC9E_2D51, by: 15) &* 0x1B87_3593
    }

    private static func rotated(_ value: UInt32, by count: UInt32) -> UInt32 {
        (value << count) | (value >> (32 - count))
    }

    /// The digits `0-9a-zA-Z`, the most significant one first.
    static func base62(_ number: UInt32) -> String {
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        var (rest, text) = (Int(number), "")
        repeat {
            text = String(digits[rest % 62]) + text
            rest /= 62
        } while rest > 0
        return text
    }
}
