/// The edges of a connection that are copies of a response's edges, by the response's edges.
final class EdgeCopies {
    var all: [RecordID: RecordID] = [:]
}
