public import Baton

/// The reason why a fixture could not be read or has no response.
public enum FixtureError: Error, Sendable, Hashable {
    /// No exchange of the file is for this request. The notes say which are nearest to it.
    case notRecorded(String, nearest: [String])
    /// The operation was requested with these variables more often than it was recorded.
    case usedUp(String, recorded: Int)
    /// The text is no fixture; the line counts from 1.
    case malformed(line: Int, String)
    /// The file could not be read or written.
    case file(String)
    /// An error that was recorded, by its description.
    case recorded(String)
}

extension FixtureError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notRecorded(let request, let nearest) where nearest.isEmpty:
            "the fixture has no exchange for \(request), and none that is like it"
        case .notRecorded(let request, let nearest):
            "the fixture has no exchange for \(request); it has \(nearest.joined(separator: ", "))"
        case .usedUp(let request, let count):
            "\(request) was requested more often than recorded, which is \(count) times"
        case .malformed(let line, let detail): "line \(line) of the fixture: \(detail)"
        case .file(let detail): "the fixture's file: \(detail)"
        case .recorded(let text): text
        }
    }
}

extension FixtureError: TransportError {
    /// A fixture that lacks something is a mistake of the test.
    public var kind: RelayError.Kind {
        if case .recorded = self { .network } else { .misuse }
    }

    public var outcome: String {
        switch self {
        case .notRecorded, .usedUp, .recorded: "The request got no response"
        case .malformed, .file: "The request was not answered"
        }
    }

    public var advice: String {
        switch self {
        case .notRecorded, .usedUp:
            "Record the exchange with 'FixtureNetwork(recording:)' and 'save(to:)', or write it into the file."
        case .malformed: "Correct the line. The guide has the format."
        case .file: "Check the path."
        case .recorded: "This error was recorded."
        }
    }
}
