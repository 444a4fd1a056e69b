/// The options of the command line.
struct Options: Hashable, Sendable {
    /// Plays this script and prints its frames.
    var script: String?
    /// Uses this endpoint instead of the embedded service.
    var url: String?
    /// Keeps the records in this file.
    var store: String?
    /// Prints the facts as JSON.
    var dumpsData = false
    var showsHelp = false

    /// An invalid argument.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    static let help = """
        starwars: a terminal application on a GraphQL service

            starwars                    opens the application on the embedded service
            starwars --url URL          opens it on a GraphQL endpoint with the same schema
            starwars --store FILE       keeps what it has loaded in a file, and begins with it
            starwars --frames SCRIPT    plays a script of keys and prints the frames; '-' reads standard input
            starwars --dump-data        prints the facts behind the embedded service as JSON

        Where the output is no terminal, one frame is printed. NO_COLOR switches colours off.

        """

    /// Parses the arguments after the program's name.
    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--frames": script = try Self.value(of: argument, &rest)
            case "--url": url = try Self.value(of: argument, &rest)
            case "--store": store = try Self.value(of: argument, &rest)
            case "--dump-data": dumpsData = true
            case "--help", "-h": showsHelp = true
            default: throw Failure(description: "unknown argument '\(argument)'; '--help' lists what there is")
            }
        }
    }

    private static func value(of name: String, _ rest: inout ArraySlice<String>) throws(Failure) -> String {
        guard let value = rest.popFirst() else { throw Failure(description: "'\(name)' takes a value") }
        return value
    }
}
