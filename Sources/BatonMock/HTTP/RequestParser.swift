import BatonHTTP

/// Reads requests of HTTP/1.1: bytes in, requests out (RFC 9112).
///
/// The pieces may be cut anywhere. Each byte of a head is looked at once, and no more is kept than the limits say.
/// After a problem nothing more is read.
struct RequestParser {
    /// How large a request may be.
    struct Limits: Sendable {
        /// The bytes of the first line.
        var line = 16 << 10
        /// The bytes of all header fields.
        var head = 32 << 10
        /// The number of header fields.
        var fields = 100
        /// The bytes of a body.
        var body = 1 << 20
        /// The bytes of a body with files.
        var form = 8 << 20
    }

    enum Event: Equatable {
        case request(ReceivedRequest)
        /// The client waits for `100 Continue` before it sends the body.
        case expectsContinue
    }

    private enum Place: Equatable {
        case requestLine, fields
        /// A body of this many bytes.
        case body(Int)
        case chunkSize
        /// A chunk of this many bytes, and the end of its line.
        case chunk(Int)
        case trailers
        case failed
    }

    private let limits: Limits
    private let budget: MemoryBudget
    /// What a large body takes of the budget.
    private var holding: MemoryBudget.Holding?
    /// What was not read yet begins at `position`, and has no end of a line before `scanned`.
    private var bytes: [UInt8] = []
    private var position = 0
    private var scanned = 0
    private var place = Place.requestLine
    private var request: ReceivedRequest?
    private var head = RequestHead()
    private var body: [UInt8] = []
    /// The bytes that the body may have.
    private var longestBody = 0

    init(_ limits: Limits = Limits(), _ budget: MemoryBudget = MemoryBudget()) {
        self.limits = limits
        self.budget = budget
    }

    /// True between two requests, when no byte of the next has come.
    var isIdle: Bool { place == .requestLine && position == bytes.count }

    /// Adds bytes behind those that were added before.
    mutating func append(_ more: some Collection<UInt8>) {
        guard place != .failed else { return }
        if position > 0 {
            bytes.removeSubrange(..<position)
            scanned = max(scanned - position, 0)
            position = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Gives the memory of the last request back, which was answered.
    mutating func release() {
        holding = nil
        // An array keeps the room of what was removed.
        if bytes.count > MemoryBudget.free { bytes = Array(bytes[position...]) } else { return }
        (scanned, position) = (max(scanned - position, 0), 0)
    }

    /// Takes the bytes that follow the last request, which another protocol reads.
    mutating func takeRest() -> [UInt8] {
        defer { (bytes, position, scanned) = ([], 0, 0) }
        return Array(bytes[position...])
    }

    /// The next request; nil if its bytes are not all there.
    ///
    /// - Throws: The problem that ends the connection.
    mutating func next() throws(HTTPProblem) -> Event? {
        do throws(HTTPProblem) {
            while true {
                let wasPlace = place
                let wasPosition = position
                if let event = try step() { return event }
                if place == wasPlace, position == wasPosition { return nil }
            }
        } catch {
            place = .failed
            (bytes, position, scanned, body, request, holding) = ([], 0, 0, [], nil, nil)
            throw error
        }
    }

    private mutating func step() throws(HTTPProblem) -> Event? {
        switch place {
        case .failed: return nil
        case .requestLine:
            let problem = HTTPProblem(414, "The URL has more than \(limits.line) bytes. Send the operation with POST.")
            guard let line = try takeLine(limits.line, problem) else { return nil }
            // Empty lines before a request are ignored (RFC 9112, 2.2).
            guard !line.isEmpty else { return nil }
            head = try RequestHead(line)
            place = .fields
        case .fields: return try readField()
        case .body(let length):
            guard bytes.count - position >= length else { return nil }
            body = Array(bytes[position..<position + length])
            position += length
            return finish()
        case .chunkSize:
            let problem = HTTPProblem(400, "The line with the size of a chunk is too long.")
            guard let line = try takeLine(256, problem) else { return nil }
            let size = try Self.chunkSize(line)
            guard size <= longestBody - body.count else { throw tooLarge }
            if body.count + size > MemoryBudget.free, holding == nil { try hold(longestBody) }
            place = size == 0 ? .trailers : .chunk(size)
        case .chunk(let size):
            guard let end = try chunkEnd(size) else { return nil }
            body += bytes[position..<position + size]
            position = end
            place = .chunkSize
        case .trailers:
            guard let line = try takeHeadLine() else { return nil }
            if line.isEmpty { return finish() }
        }
        return nil
    }

    /// Where the end of the line behind a chunk ends; nil if it is not there.
    private func chunkEnd(_ size: Int) throws(HTTPProblem) -> Int? {
        let rest = bytes[position...].dropFirst(size).prefix(2)
        switch (rest.first, rest.dropFirst().first) {
        case (10, _): return position + size + 1
        case (13, 10): return position + size + 2
        case (nil, _), (13, nil): return nil
        default: throw HTTPProblem(400, "A chunk is longer than it says.")
        }
    }

    // MARK: - Heads

    private mutating func readField() throws(HTTPProblem) -> Event? {
        guard let line = try takeHeadLine() else { return nil }
        guard line.isEmpty else {
            guard head.fieldCount < limits.fields else { throw tooLargeHead }
            try head.add(line)
            return nil
        }
        let request = try head.request()
        self.request = request
        longestBody = isForm ? limits.form : limits.body
        switch try head.framing() {
        case .none: return finish()
        case .length(let length):
            guard length <= longestBody else { throw tooLarge }
            if length > MemoryBudget.free { try hold(length) }
            place = .body(length)
        case .chunks: place = .chunkSize
        }
        let isWaiting: Bool = if case .body(let length) = place { bytes.count - position < length } else { isAtEnd }
        guard let expectation = request.headers["Expect"] else { return nil }
        guard expectation.lowercased() == "100-continue" else {
            throw HTTPProblem(417, "The only expectation that is met is '100-continue'.")
        }
        return isWaiting && !request.isOldVersion ? .expectsContinue : nil
    }

    private mutating func hold(_ size: Int) throws(HTTPProblem) {
        holding = budget.hold(size)
        guard holding != nil else { throw HTTPProblem(503, "The server reads too many large bodies. Try again.") }
    }

    private var isAtEnd: Bool { position == bytes.count }

    /// Whether the body is a form, which may have files.
    private var isForm: Bool {
        request?.headers["Content-Type"]?.lowercased().hasPrefix("multipart/form-data") ?? false
    }

    private var tooLarge: HTTPProblem {
        let option = isForm ? "--uploads" : "--body"
        return HTTPProblem(
            413, "The body has more than \(longestBody) bytes. Send less, or start with a larger '\(option)'.")
    }

    private var tooLargeHead: HTTPProblem {
        HTTPProblem(431, "The header has more than \(limits.fields) fields, or more than \(limits.head) bytes.")
    }

    private mutating func finish() -> Event? {
        guard var finished = request else { return nil }
        finished.body = body
        (place, request, body, head) = (.requestLine, nil, [], RequestHead())
        return .request(finished)
    }

    // MARK: - Lines

    private mutating func takeHeadLine() throws(HTTPProblem) -> [UInt8]? {
        let start = position
        let line = try takeLine(limits.head - head.size, tooLargeHead)
        head.size += position - start
        return line
    }

    /// The next line without its end; nil if its end has not come.
    private mutating func takeLine(_ limit: Int, _ tooLong: HTTPProblem) throws(HTTPProblem) -> [UInt8]? {
        guard let end = bytes[max(scanned, position)...].firstIndex(of: 10) else {
            scanned = bytes.count
            guard bytes.count - position <= limit else { throw tooLong }
            return nil
        }
        guard end - position <= limit else { throw tooLong }
        var line = Array(bytes[position..<end])
        position = end + 1
        if line.last == 13 { line.removeLast() }
        guard !line.contains(13), !line.contains(0) else {
            throw HTTPProblem(400, "A line of the request has a control character.")
        }
        return line
    }

    /// The size that a line gives in hexadecimal digits. What follows a semicolon is ignored.
    private static func chunkSize(_ line: [UInt8]) throws(HTTPProblem) -> Int {
        let text = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 && $0 != 9 }
        guard (1...8).contains(text.count), let digits = String(validating: text, as: UTF8.self),
            digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16)
        else { throw HTTPProblem(400, "The size of a chunk is no hexadecimal number.") }
        return size
    }
}
