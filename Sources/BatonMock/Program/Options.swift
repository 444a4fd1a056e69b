import Foundation

/// What the program is asked to do, from its arguments.
struct Options: Equatable {
    var schemas: [String] = []
    var host = "127.0.0.1"
    var port: UInt16 = 4000
    var seed: UInt64 = 1
    var path = "/graphql"
    var overrides: String?
    var rules: String?
    var documents: String?
    /// The server that is recorded.
    var record: URL?
    /// The folder of recordings.
    var recordings: String?
    /// Names of members that are secret.
    var secrets: [String] = []
    var eventMilliseconds = 1_000
    var largestBody = 1 << 20
    var largestForm = 8 << 20
    var connections = 1_200
    var wantsHelp = false

    /// A mistake in the arguments.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let help = """
        usage: baton-mock --schema FILE [options]

        Answers any operation of a schema with made-up data.

          --schema FILE      the schema; give it again for files with extensions
          --port N           the port, 4000 if it is not given; 0 for one that is free
          --host ADDRESS     the address to listen at, 127.0.0.1 if it is not given
          --url-path PATH    the path of the endpoint, /graphql if it is not given
          --seed N           another seed gives other data
          --overrides FILE   JSON with values of your own, read again when it is saved
          --rules FILE       JSON that says what goes wrong with which operations, read again when it is saved
          --record URL       ask this server, pass its answers on and keep them; no schema is needed then
          --recordings DIR   the folder of recorded answers, 'recordings' if it is not given; without '--record', answers
                             come from it, and from the schema if there is one
          --secret NAME      a member whose value is struck out of recordings, besides 'password', 'token' and the like
          --documents FILE   JSON with the texts of documents by their ids, as 'persistConfig' writes it
          --events MS        the milliseconds between two events of a subscription, 1000 if it is not given
          --body BYTES       the largest body of a request, 1048576 if it is not given
          --uploads BYTES    the largest body of a request with files, 8388608 if it is not given
          --connections N    the number of connections at the same time, 1200 if it is not given
          --help             this text

        """

    init() {}

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if name == "--help" || name == "-h" {
                wantsHelp = true
                continue
            }
            guard Self.names.contains(name) else {
                throw Mistake(description: "There is no option '\(name)'; see 'baton-mock --help'.")
            }
            guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
                throw Mistake(description: "'\(name)' needs a value; see 'baton-mock --help'.")
            }
            try set(name, value)
        }
        guard wantsHelp || !schemas.isEmpty || record != nil || recordings != nil else {
            throw Mistake(description: "Name the schema: baton-mock --schema schema.graphql")
        }
        guard wantsHelp || !schemas.isEmpty || overrides == nil else {
            throw Mistake(description: "'--overrides' changes data of a schema: name it with '--schema'.")
        }
        if record != nil, recordings == nil { recordings = "recordings" }
    }

    private static let names: Set<String> = [
        "--schema", "--port", "--host", "--url-path", "--seed", "--overrides", "--rules", "--documents", "--events",
        "--body", "--uploads", "--connections", "--record", "--recordings", "--secret",
    ]

    private mutating func set(_ name: String, _ value: String) throws(Mistake) {
        switch name {
        case "--schema": schemas.append(value)
        case "--host": host = value
        case "--overrides": overrides = value
        case "--rules": rules = value
        case "--documents": documents = value
        case "--recordings": recordings = value
        case "--secret": secrets.append(value)
        case "--record":
            guard let url = URL(string: value), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil
            else {
                throw Mistake(description: "'--record' is a URL such as https://api.example.com/graphql.")
            }
            record = url
        case "--port": port = try Self.number(name, value, 0...65_535)
        case "--seed":
            guard let number = UInt64(value) else {
                throw Mistake(description: "'--seed' is a whole number from 0; it is '\(value)'.")
            }
            seed = number
        case "--events": eventMilliseconds = try Self.number(name, value, 1...3_600_000)
        case "--body": largestBody = try Self.number(name, value, 1...(64 << 20))
        case "--uploads": largestForm = try Self.number(name, value, 1...(128 << 20))
        case "--connections": connections = try Self.number(name, value, 1...10_000)
        default:
            let isPlain = value.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"?#%\"".utf8.contains($0) }
            guard value.hasPrefix("/"), isPlain, value != "/health" else {
                throw Mistake(description: "'--url-path' is a path such as /graphql; it is '\(value)'.")
            }
            path = value
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String, _ text: String, _ range: ClosedRange<Number>
    ) throws(Mistake) -> Number {
        guard let number = Number(text), range.contains(number) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw Mistake(description: "'\(name)' is a number \(bounds); it is '\(text)'.")
        }
        return number
    }
}
