#if DEBUG
    /// Scans the tokens of one definition in a source file and computes the digest that the header of a generated file
    /// holds.
    ///
    /// The proposal "The contract between compiler and runtime" defines tokens and the digest.
    struct DefinitionScan {
        /// The digest of everything from the keyword to the brace that closes the definition.
        private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        /// The names of the fragments that the definition spreads, in the order of the source.
        private(set) var spreads: [String] = []

        private let bytes: [UInt8]
        private var position: Int
        private var depth = 0
        private var dots = 0

        /// Scans every place where the keyword is followed by the name and by balanced braces.
        static func all(_ keyword: String, _ name: String, in bytes: [UInt8]) -> [DefinitionScan] {
            let (keyword, name) = (Array(keyword.utf8), Array(name.utf8))
            guard let first = keyword.first else { return [] }
            var found: [DefinitionScan] = []
            for start in bytes.indices where bytes[start] == first && bytes[start...].starts(with: keyword) {
                // The scan of one place may reach the end of the file, so the number of places is limited.
                guard found.count < 32 else { break }
                if start > 0, isName(bytes[start - 1]) { continue }
                let behind = bytes[start...].dropFirst(keyword.count)
                let rest = behind.drop(while: isSpace)
                guard rest.startIndex > behind.startIndex, rest.starts(with: name) else { continue }
                if let next = rest.dropFirst(name.count).first, isName(next) { continue }
                var scan = DefinitionScan(bytes: bytes, position: start)
                if scan.run() { found.append(scan) }
            }
            return found
        }

        private init(bytes: [UInt8], position: Int) {
            self.bytes = bytes
            self.position = position
        }

        /// Scans the definition; returns false if its last brace is missing.
        private mutating func run() -> Bool {
            while position < bytes.count {
                let start = position
                let byte = bytes[start]
                position = endOfToken()
                if Self.isSpace(byte) || byte == 0x2C || byte == 0x23 { continue }
                take(start..<position)
                switch byte {
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 { return true }
                default: break
                }
                if depth < 0 { return false }
            }
            return false
        }

        private mutating func take(_ token: Range<Int>) {
            for byte in bytes[token] where byte != 0x0D { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // A zero byte follows each token.
            digest = digest &* 0x100_0000_01B3
            if dots == 3, Self.isName(bytes[token.lowerBound]) {
                let name = String(decoding: bytes[token], as: UTF8.self)
                if name != "on" { spreads.append(name) }
            }
            dots = bytes[token.lowerBound] == UInt8(ascii: ".") ? dots + 1 : 0
        }

        /// Returns the position after a name, string, block string or comment; any other token is one byte long.
        private func endOfToken() -> Int {
            func end(while condition: (UInt8) -> Bool) -> Int {
                bytes[position...].firstIndex { !condition($0) } ?? bytes.count
            }
            if Self.isName(bytes[position]) { return end(while: Self.isName) }
            if bytes[position] == UInt8(ascii: "#") { return end { $0 != 0x0A && $0 != 0x0D } }
            return bytes[position] == UInt8(ascii: "\"") ? endOfString() : position + 1
        }

        private func endOfString() -> Int {
            let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
            let isBlock = bytes[position...].starts(with: quotes)
            var end = position + (isBlock ? 3 : 1)
            while end < bytes.count {
                switch bytes[end] {
                case UInt8(ascii: "\\"):
                    let isQuotes = isBlock && bytes[(end + 1)...].starts(with: quotes)
                    end += isQuotes ? 4 : isBlock ? 1 : 2
                case UInt8(ascii: "\"") where !isBlock: return end + 1
                case UInt8(ascii: "\"") where bytes[end...].starts(with: quotes): return end + 3
                case 0x0A where !isBlock, 0x0D where !isBlock: return end
                default: end += 1
                }
            }
            return bytes.count
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }

        private static func isName(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
            default: false
            }
        }
    }
#endif
