/// The edges that a connection got from an answer, by the answer's edges.
final class EdgeCopies {
    var all: [RecordID: RecordID] = [:]
}
