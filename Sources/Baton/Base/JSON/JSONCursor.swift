/// Reads the bytes of a JSON document once, from left to right (RFC 8259, strictly).
///
/// The cursor must not outlive the `withUnsafeBufferPointer` over the body in which it is made. Every access goes
/// through methods that check the bounds. (`Span` does the same, but a struct can store a `Span` only with an
/// experimental feature.)
struct JSONCursor {
    /// The greatest depth of nested arrays and objects.
    static let maximumDepth = JSONValue.maximumDepth

    private let buffer: UnsafeRawBufferPointer
    var position = 0
    /// The position of the first escape that is half of a surrogate pair and so no character; below 0 if there was
    /// none.
    private(set) var loneSurrogate = -1

    private init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

    /// Calls `body` with a cursor at the first byte.
    @inline(__always)
    static func read<Result>(
        _ bytes: [UInt8], _ body: (inout JSONCursor) throws(JSONFailure) -> Result
    ) throws(JSONFailure) -> Result {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONFailure) -> Result in
            var cursor = JSONCursor(UnsafeRawBufferPointer(buffer))
            return try body(&cursor)
        }
    }

    /// Calls `body` with a cursor over bytes that may be no JSON.
    @inline(__always)
    static func reading<Result>(_ bytes: [UInt8], _ body: (borrowing JSONCursor) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(JSONCursor(UnsafeRawBufferPointer($0))) }
    }

    /// Calls `body` with a cursor over bytes that may be no JSON.
    @inline(__always)
    static func reading<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (borrowing JSONCursor) -> Result
    ) -> Result {
        body(JSONCursor(UnsafeRawBufferPointer(bytes)))
    }

    var count: Int { buffer.count }
    var isAtEnd: Bool { position >= buffer.count }

    /// Returns the byte at an index; 0, which JSON does not contain, past the end.
    @inline(__always)
    func byte(at index: Int) -> UInt8 {
        index < buffer.count ? buffer[index] : 0
    }

    /// The next byte; 0 at the end.
    @inline(__always)
    var next: UInt8 { byte(at: position) }

    /// Returns eight bytes, the first in the lowest bits; nil if fewer are left.
    @inline(__always)
    func word(at index: Int) -> UInt64? {
        guard index &+ 8 <= buffer.count else { return nil }
        return UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Returns eight bytes, the first in the lowest bits, with zeros from `end` on.
    @inline(__always)
    func word(at index: Int, before end: Int) -> UInt64 {
        let length = end &- index
        if length <= 0 { return 0 }
        if let word = word(at: index) {
            return length >= 8 ? word : word & ((1 << UInt64(truncatingIfNeeded: length &* 8)) &- 1)
        }
        var word: UInt64 = 0
        for offset in 0..<min(length, 8) {
            word |= UInt64(byte(at: index &+ offset)) << UInt64(truncatingIfNeeded: offset &* 8)
        }
        return word
    }

    /// Returns sixteen bytes, the first in the lowest bits of the first word; nil if fewer are left.
    @inline(__always)
    func words(at index: Int) -> SIMD2<UInt64>? {
        guard index &+ 16 <= buffer.count else { return nil }
        let words = buffer.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
        return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    }

    /// Returns true if the given bytes stand at a position.
    @inline(__always)
    func hasBytes(_ other: UnsafeRawBufferPointer, at index: Int) -> Bool {
        let count = other.count
        guard index &+ count <= buffer.count else { return false }
        var offset = 0
        while offset &+ 8 <= count {
            let left = other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if left != buffer.loadUnaligned(fromByteOffset: index &+ offset, as: UInt64.self) { return false }
            offset &+= 8
        }
        while offset < count {
            if other[offset] != buffer[index &+ offset] { return false }
            offset &+= 1
        }
        return true
    }

    /// Returns true if the given bytes stand at a position.
    @inline(__always)
    func hasBytes(_ text: [UInt8], at index: Int) -> Bool {
        text.withUnsafeBytes { hasBytes($0, at: index) }
    }

    /// Returns the text of a range, which must have been checked to be UTF-8.
    @inline(__always)
    func text(_ range: Range<Int>) -> String {
        let clamped = range.clamped(to: 0..<buffer.count)
        return String(decoding: UnsafeRawBufferPointer(rebasing: buffer[clamped]), as: UTF8.self)
    }

    /// Returns the bytes of a range, which must not outlive the call of `read`.
    @inline(__always)
    func run(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: buffer[range.clamped(to: 0..<buffer.count)])
    }

    /// Returns a copy of the bytes of a range.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        Array(buffer[range.clamped(to: 0..<buffer.count)])
    }

    func append(_ range: Range<Int>, to result: inout [UInt8]) {
        result.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[range.clamped(to: 0..<buffer.count)]))
    }

    // MARK: - Types of objects

    /// Returns the position of the value if the key `__typename` stands at `start`; otherwise nil.
    @inline(__always)
    func startOfTypename(at start: Int) -> Int? {
        // The two words are `"__typen` and `pename":`.
        guard let first = word(at: start), first == 0x6E65_7079_745F_5F22, let second = word(at: start &+ 5),
            second == 0x3A22_656D_616E_6570
        else { return nil }
        var cursor = self
        cursor.position = start &+ 13
        cursor.skipSpace()
        return cursor.position
    }

    // MARK: - Structure

    /// Moves past a byte order mark and the space that follows. Some servers send a mark, and RFC 8259, section 8.1,
    /// lets readers ignore it.
    mutating func begin() {
        if position == 0, next == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF { position = 3 }
        skipSpace()
    }

    /// Notes the position of half of a surrogate pair, unless another was noted before.
    mutating func noteLoneSurrogate(at index: Int) {
        if loneSurrogate < 0 { loneSurrogate = index }
    }

    @inline(__always)
    mutating func skipSpace() {
        if next > 0x20 { return }
        while true {
            switch next {
            case 0x20, 0x0A, 0x0D, 0x09:
                // Past the end the byte is 0, which ends the loop.
                position &+= 1
            default: return
            }
        }
    }

    func failure(_ detail: String, at index: Int? = nil) -> JSONFailure {
        JSONFailure(.notJSON(isAtEnd && index == nil ? "\(detail), found the end" : detail), offset: index ?? position)
    }

    /// Moves past one byte that must be there.
    @inline(__always)
    mutating func expect(_ byte: UInt8, _ name: StaticString) throws(JSONFailure) {
        guard next == byte else { throw failure("expected \(name)") }
        position &+= 1
    }

    /// Moves past `,` to the next element and returns true, or moves past the closing byte and returns false.
    @inline(__always)
    mutating func continues(until close: UInt8) throws(JSONFailure) -> Bool {
        var byte = next
        if byte <= 0x20 {
            skipSpace()
            byte = next
        }
        if byte == 0x2C {
            position &+= 1
            skipSpace()
            return true
        }
        if byte == close {
            position &+= 1
            return false
        }
        throw unexpectedEnd(close)
    }

    @inline(never)
    private func unexpectedEnd(_ close: UInt8) -> JSONFailure {
        failure(close == 0x7D ? "expected ',' or '}'" : "expected ',' or ']'")
    }

    /// Moves past `:` and the space around it.
    @inline(__always)
    mutating func expectColon() throws(JSONFailure) {
        skipSpace()
        try expect(0x3A, "':'")
        skipSpace()
    }

    /// Throws unless only space follows.
    mutating func expectEnd() throws(JSONFailure) {
        skipSpace()
        guard isAtEnd else { throw failure("expected the end") }
    }

    // MARK: - Literals

    @inline(__always)
    mutating func expectNull() throws(JSONFailure) {
        guard byte(at: position &+ 1) == 0x75, byte(at: position &+ 2) == 0x6C, byte(at: position &+ 3) == 0x6C,
            next == 0x6E
        else { throw failure("expected a value") }
        position &+= 4
    }

    @inline(__always)
    mutating func bool() throws(JSONFailure) -> Bool {
        if next == 0x74, byte(at: position &+ 1) == 0x72, byte(at: position &+ 2) == 0x75,
            byte(at: position &+ 3) == 0x65
        {
            position &+= 4
            return true
        }
        guard next == 0x66, byte(at: position &+ 1) == 0x61, byte(at: position &+ 2) == 0x6C,
            byte(at: position &+ 3) == 0x73, byte(at: position &+ 4) == 0x65
        else { throw failure("expected a value") }
        position &+= 5
        return false
    }

    // MARK: - Skipping

    /// Moves past a value of any kind and checks it; `depth` is the number of containers around the value.
    mutating func skipValue(depth: Int) throws(JSONFailure) {
        var depth = depth
        let outer = depth
        // One bit for each open container, set for an object.
        var objects = SIMD4<UInt64>(repeating: 0)
        while true {
            switch next {
            case 0x7B, 0x5B:
                guard depth < Self.maximumDepth else {
                    throw JSONFailure(.tooDeep(limit: Self.maximumDepth), offset: position)
                }
                let isObject = next == 0x7B
                let bit: UInt64 = 1 << UInt64(depth & 63)
                if isObject { objects[depth >> 6] |= bit } else { objects[depth >> 6] &= ~bit }
                depth &+= 1
                position &+= 1
                skipSpace()
                if next != (isObject ? 0x7D : 0x5D) {
                    if isObject { try skipKey() }
                    continue
                }
                position &+= 1
                depth &-= 1
            case 0x22: _ = try string()
            case 0x74, 0x66: _ = try bool()
            case 0x6E: try expectNull()
            default: try skipNumber()
            }
            // A value has ended: containers are closed until one has another element.
            while true {
                if depth == outer { return }
                let isObject = objects[(depth &- 1) >> 6] & (1 << UInt64((depth &- 1) & 63)) != 0
                if try continues(until: isObject ? 0x7D : 0x5D) {
                    if isObject { try skipKey() }
                    break
                }
                depth &-= 1
            }
        }
    }

    private mutating func skipKey() throws(JSONFailure) {
        guard next == 0x22 else { throw failure("expected a string") }
        _ = try string()
        try expectColon()
    }
}
