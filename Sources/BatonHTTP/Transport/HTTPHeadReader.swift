/// Reads the head of a response line by line. Heads with a status below 200 come before the one that counts.
///
/// The cost is linear in the bytes, whatever the lines are.
struct HTTPHeadReader {
    /// So many lines may go on with the field of the line before them, in all heads together (RFC 9112, 5.2).
    static let mostFolds = 256

    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// True if the status line is the one that libcurl writes for a response over HTTP/2.
    private(set) var isHTTP2 = false
    private var bytes = 0
    private var folds = 0
    private let maximumSize: Int
    private let acceptsSwitch: Bool

    /// - Parameters:
    ///   - maximumSize: The number of bytes that all heads may have together.
    ///   - acceptsSwitch: True if a head with the status 101 counts, which another protocol follows.
    init(maximumSize: Int, acceptsSwitch: Bool = false) {
        self.maximumSize = maximumSize
        self.acceptsSwitch = acceptsSwitch
    }

    /// Takes one line with its end. Returns true if it was the last of the head that counts; only an empty line is.
    ///
    /// - Throws: ``HTTPError/notHTTP`` if it is no line of a head, or the heads are too large together.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> Bool {
        try count(line.count)
        if line.elementsEqual([13, 10]) || line.elementsEqual([10]) {
            return status >= 200 || acceptsSwitch && status == 101
        }
        // For others, the head ends at a line that begins so.
        guard let first = line.first, first != 13, first != 10 else { throw .notHTTP }
        let text = Self.trimmed(line[...])
        if line.starts(with: "HTTP/".utf8) {
            // A status line begins a new head.
            guard let code = Self.status(text), (100...999).contains(code) else { throw .notHTTP }
            (status, headers, isHTTP2) = (code, HTTPHeaders(), line.starts(with: "HTTP/2 ".utf8))
        } else if Self.isBlank(first) {
            folds += 1
            guard folds <= Self.mostFolds else { throw .notHTTP }
            if !text.isEmpty { headers.extendLast(with: Self.string(text)) }
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(Self.string(text[..<colon]), Self.string(Self.trimmed(text[text.index(after: colon)...])))
        } else {
            throw .notHTTP
        }
        return false
    }

    /// Counts bytes that are kept nowhere, such as those of trailers.
    ///
    /// - Throws: ``HTTPError/notHTTP`` if they are too many together with the heads.
    mutating func count(_ count: Int) throws(HTTPError) {
        bytes += count
        guard bytes <= maximumSize else { throw .notHTTP }
    }

    private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        return Int(string(line[line.index(after: space)...].prefix { $0 != UInt8(ascii: " ") }))
    }

    private static func string(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes without white space and ends of lines around them.
    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes[start...].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 10 }
}
