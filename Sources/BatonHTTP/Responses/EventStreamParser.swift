import Baton

/// One event of an event stream.
struct ServerSentEvent: Sendable, Hashable {
    /// The field `event`; empty if there was none.
    var name = ""
    /// The lines of the fields `data`, joined with a line feed.
    var data: [UInt8] = []

    /// True if `data` holds more than white space.
    var hasContent: Bool { data.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } }
}

/// Divides an event stream into events. Pieces may end anywhere.
///
/// The fields `id` and `retry` are ignored, since a GraphQL operation cannot be taken up where it was lost.
///
/// Specification: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
struct EventStreamParser: Sendable {
    private enum Field: Sendable { case data, event, ignored }
    private enum Place: Sendable {
        /// In the name of a field, or at the beginning of a line.
        case name
        /// Directly behind the colon, where one space does not count.
        case afterColon(Field)
        case value(Field)
    }

    private let limit: Int
    private var place = Place.name
    private var field: [UInt8] = []
    private var eventName: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var isAfterReturn = false
    /// The number of bytes of a byte order mark that have arrived; nil after the beginning of the stream.
    private var markBytes: Int? = 0

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The longest name that is recognized; fields with longer names are ignored.
    private static let nameLimit = 32

    /// - Parameter limit: The greatest number of bytes of the data of one event.
    init(limit: Int) { self.limit = limit }

    /// Takes a piece and calls `take` with each event that the piece completes.
    ///
    /// - Throws: `RelayError.StreamError.partTooLarge`. The parser must not be used after an error.
    mutating func read(
        _ piece: [UInt8], _ take: (ServerSentEvent) -> Void
    ) throws(RelayError.StreamError) {
        var index = 0
        while index < piece.count {
            let byte = piece[index]
            if let count = markBytes {
                if byte == Self.mark[count] {
                    markBytes = count == 2 ? nil : count + 1
                    index += 1
                    continue
                }
                // Bytes that only begin like a byte order mark belong to the name of a field.
                if count > 0 { field.append(contentsOf: Self.mark.prefix(count)) }
                markBytes = nil
            }
            if isAfterReturn {
                isAfterReturn = false
                if byte == 0x0A {
                    index += 1
                    continue
                }
            }
            if byte == 0x0A || byte == 0x0D {
                isAfterReturn = byte == 0x0D
                index += 1
                endLine(take)
                continue
            }
            switch place {
            case .name:
                index += 1
                if byte == 0x3A {
                    place = .afterColon(beginValue())
                } else if field.count < Self.nameLimit {
                    field.append(byte)
                }
            case .afterColon(let field):
                if byte == 0x20 { index += 1 }
                place = .value(field)
            case .value(let field):
                let end = piece[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? piece.count
                try append(piece[index..<end], to: field)
                index = end
            }
        }
    }

    /// The name of the last event if its empty line is missing. The standard drops such an event, but an event without
    /// data means something by its name alone.
    var unfinishedName: String { String(decoding: eventName, as: UTF8.self) }

    private mutating func append(_ bytes: ArraySlice<UInt8>, to field: Field) throws(RelayError.StreamError) {
        switch field {
        case .ignored: break
        case .event: eventName.append(contentsOf: bytes.prefix(max(0, Self.nameLimit - eventName.count)))
        case .data:
            guard data.count + bytes.count <= limit else { throw .partTooLarge(limit: limit) }
            data.append(contentsOf: bytes)
        }
    }

    private mutating func beginValue() -> Field {
        defer { field.removeAll(keepingCapacity: true) }
        if field.elementsEqual("event".utf8) {
            eventName = []
            return .event
        }
        guard field.elementsEqual("data".utf8) else { return .ignored }
        // Each line counts against the limit, even an empty one. Otherwise the number of empty lines would be
        // unbounded.
        if hasData, data.count < limit { data.append(0x0A) }
        hasData = true
        return .data
    }

    private mutating func endLine(_ take: (ServerSentEvent) -> Void) {
        if case .name = place {
            if field.isEmpty { return endEvent(take) }
            // A field without a colon has an empty value.
            _ = beginValue()
        }
        place = .name
    }

    private mutating func endEvent(_ take: (ServerSentEvent) -> Void) {
        defer { (eventName, data, hasData) = ([], [], false) }
        guard hasData || !eventName.isEmpty else { return }
        take(ServerSentEvent(name: String(decoding: eventName, as: UTF8.self), data: data))
    }
}
