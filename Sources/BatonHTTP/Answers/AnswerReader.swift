import Baton

/// Divides the body of an HTTP response into GraphQL responses. The content type decides which reader it is.
///
/// Pieces may end anywhere. A reader keeps no more than one unfinished part, whose size it bounds.
protocol AnswerReader: Sendable {
    /// Takes a piece of the body and returns the responses that it completes, in order.
    mutating func read(_ piece: [UInt8]) throws -> [NetworkResponse]
    /// Takes the end of the body. Throws if the end came too early.
    mutating func end() throws -> [NetworkResponse]
    /// True if the service has said that nothing more follows; the rest of the body is not read.
    var isOver: Bool { get }
}
