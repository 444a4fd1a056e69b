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
    /// A Python that has graphql-core, if not that of `Tests/Integration/graphql-core`.
    var graphQLCore: String?
    /// Where folders of real schemas and documents are, if not beside the package.
    var corpora: String?
    /// A folder to validate and nothing else, for the sake of the memory that a process of its own needs.
    var memoryOf: String?
    /// The number of users of a store to fill and nothing else, for the same reason.
    var heapOfUsers: Int?

    static let usage = """
        usage: benchmarks [--filter TEXT] [--json] [--quick] [--graphql-core PYTHON] [--corpora FOLDER]

          --filter TEXT          only the figures whose id contains TEXT
          --json                 one line a figure, as a JSON object
          --quick                few runs: shows that the benchmarks work, not how fast things are
          --graphql-core PYTHON  a Python with graphql-core; by default Tests/Integration/graphql-core makes one once
          --corpora FOLDER       schemas and documents to validate; by default ../shared/corpora beside the package
          --memory-of CORPUS     validate this folder of the corpora and print the memory that it took
          --heap-of-users COUNT  fill a store with so many users and print the memory that they take
        """

    /// Reads the arguments; prints the usage and ends the program if one is unknown.
    init(arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--filter": filter = rest.popFirst()
            case "--json": json = true
            case "--quick": quick = true
            case "--graphql-core": graphQLCore = rest.popFirst()
            case "--corpora": corpora = rest.popFirst()
            case "--memory-of": memoryOf = rest.popFirst()
            case "--heap-of-users": heapOfUsers = rest.popFirst().flatMap { Int($0) }
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
