import Baton

/// Divides the body of an HTTP response into GraphQL responses. `BodyReaders` chooses a reader by the content type.
///
/// Pieces of the body may end anywhere. A reader keeps no more than one unfinished part, whose size the reader bounds.
protocol BodyReader: Sendable {
    /// Takes a piece of the body and returns the responses that it completes, in order.
    mutating func read(_ piece: [UInt8]) throws -> [NetworkResponse]
    /// Takes the end of the body and returns the last responses. Throws if the body is incomplete.
    mutating func end() throws -> [NetworkResponse]
    /// True if the server has said that no more responses follow; the rest of the body is not read.
    var isOver: Bool { get }
    /// True if the bytes so far are a whole body by what they say, whatever its length was to be.
    var isWhole: Bool { get }
}
