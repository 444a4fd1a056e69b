import Baton

@testable import BatonHTTP

/// The responses and the error of a reader for a body in pieces.
struct ReplayedStream: Equatable {
    var bodies: [String] = []
    var hasNext: [Bool] = []
    var error: RelayError.StreamError?

    /// Reads a body in pieces, as a network does.
    ///
    /// - Parameter cuts: The positions, in ascending order, at which the body is cut into pieces.
    init(_ body: [UInt8], cutAt cuts: [Int] = [], with reader: some BodyReader) {
        var reader = reader
        var start = 0
        do {
            for cut in cuts + [body.count] {
                let cut = min(max(cut, start), body.count)
                try take(reader.read(Array(body[start..<cut])))
                start = cut
                if reader.isOver { break }
            }
            try take(reader.end())
        } catch {
            self.error = error as? RelayError.StreamError
        }
    }

    private mutating func take(_ responses: [NetworkResponse]) {
        for response in responses {
            bodies.append(String(decoding: response.body, as: UTF8.self))
            hasNext.append(response.hasNext)
        }
    }

    static func multipart(
        _ text: String, _ kind: OperationKind = .query, contentType: String = "multipart/mixed; boundary=b",
        limit: Int = 1 << 20
    ) -> ReplayedStream {
        let reader = MultipartBodyReader(contentType: contentType, kind: kind, limit: limit)
        let whole = ReplayedStream(Array(text.utf8), with: reader)
        let bytewise = ReplayedStream(Array(text.utf8), cutAt: Array(0..<text.utf8.count), with: reader)
        return whole == bytewise ? whole : ReplayedStream(different: whole, bytewise)
    }

    static func events(_ text: String, _ kind: OperationKind? = .subscription, limit: Int = 1 << 20) -> ReplayedStream {
        let reader = EventStreamBodyReader(kind: kind, limit: limit)
        let whole = ReplayedStream(Array(text.utf8), with: reader)
        let bytewise = ReplayedStream(Array(text.utf8), cutAt: Array(0..<text.utf8.count), with: reader)
        return whole == bytewise ? whole : ReplayedStream(different: whole, bytewise)
    }

    /// An outcome that equals no other, for readings of the same body that differ.
    private init(different whole: ReplayedStream, _ bytewise: ReplayedStream) {
        bodies = ["the pieces make a difference: \(whole), \(bytewise)"]
    }
}
