import Foundation

/// What the command line says.
struct Options {
    struct Failure: Error { let text: String }

    static let help = """
        usage: Web [--url URL] [--port PORT] [--host HOST] [--fresh SECONDS]

          --url URL         a GraphQL endpoint with the schema of Samples/StarWars; without it the data is in the program
          --port PORT       the port to listen at; 8080, or 0 for a free one
          --host HOST       the address to listen at; 127.0.0.1, so that only this machine reaches the site
          --fresh SECONDS   how long data is shown before it is asked for again; 5

        """

    var url: URL?
    var host = "127.0.0.1"
    var port = 8080
    var fresh = Duration.seconds(5)

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard ["--url", "--port", "--host", "--fresh"].contains(name) else {
                throw Failure(text: "'\(name)' is no option")
            }
            guard let value = rest.popFirst() else { throw Failure(text: "'\(name)' needs a value") }
            switch name {
            case "--url":
                guard let url = URL(string: value), ["http", "https"].contains(url.scheme), url.host != nil else {
                    throw Failure(text: "'\(value)' is no URL of an endpoint")
                }
                self.url = url
            case "--port":
                guard let port = Int(value), (0...65_535).contains(port) else {
                    throw Failure(text: "'\(value)' is no port")
                }
                self.port = port
            case "--fresh":
                guard let seconds = Double(value), (0...86_400).contains(seconds) else {
                    throw Failure(text: "'\(value)' is no number of seconds")
                }
                fresh = .milliseconds(Int(seconds * 1000))
            default: host = value
            }
        }
    }
}
