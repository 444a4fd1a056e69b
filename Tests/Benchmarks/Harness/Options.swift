#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What the command line asks for.
struct Options {
    /// Only figures whose id contains this.
    var filter: String?
    /// One JSON object a line instead of the table.
    var json = false
    /// Fewer runs and smaller inputs: shows that everything works, not how fast it is.
    var quick = false

    static let usage = """
        usage: benchmarks [--filter TEXT] [--json] [--quick]

          --filter TEXT   only the figures whose id contains TEXT
          --json          one line a figure, as a JSON object
          --quick         few runs: shows that the benchmarks work, not how fast things are
        """

    /// Reads the arguments; prints the usage and ends the program if one is unknown.
    init(arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--filter": filter = rest.popFirst()
            case "--json": json = true
            case "--quick": quick = true
            case "--help":
                print(Options.usage)
                exit(0)
            default:
                print("unknown argument '\(argument)'\n\n\(Options.usage)")
                exit(2)
            }
        }
    }

    func wants(_ id: String) -> Bool {
        filter.map(id.contains) ?? true
    }

    /// How often to run what is run `full` times in earnest.
    func runs(_ full: Int) -> Int {
        quick ? 3 : full
    }
}
