#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The options of the command line.
struct Options {
    /// Measures only figures whose id contains this text.
    var filter: String?
    /// Prints one JSON object on each line instead of a table.
    var json = false
    /// Uses fewer runs and smaller inputs, to show that everything works.
    var quick = false
    /// A Python with graphql-core, to use instead of that of `Tests/Integration/graphql-core`.
    var graphQLCore: String?
    /// The folder with folders of real schemas and documents, if it is not beside the package.
    var corpora: String?
    /// A folder to validate without any other measurement, to measure the memory of a separate process.
    var memoryOf: String?
    /// The number of users of a store to fill without any other measurement, to measure the memory of a separate
    /// process.
    var heapOfUsers: Int?
    /// The number of handles to make and to let go without any other measurement, to measure the memory of a separate
    /// process.
    var heapOfHandles: Int?
    var heapOfEnvironments: Int?
    /// The results to hold without any other measurement.
    var heapOfHeld: String?

    static let usage = """
        usage: benchmarks [--filter TEXT] [--json] [--quick] [--graphql-core PYTHON] [--corpora FOLDER]

          --filter TEXT          only the figures whose id contains TEXT
          --json                 one line a figure, as a JSON object
          --quick                few runs: shows that the benchmarks work, not how fast things are
          --graphql-core PYTHON  a Python with graphql-core; by default Tests/Integration/graphql-core makes one once
          --corpora FOLDER       schemas and documents to validate; by default ../shared/corpora beside the package
          --memory-of CORPUS     validate this folder of the corpora and print the memory that it took
          --heap-of-users COUNT  fill a store with so many users and print the memory that they take
          --heap-of-handles COUNT  make so many handles, let them go and print how much the heap has grown
          --heap-of-environments COUNT  make so many environments over a base, print how much the heap has grown
          --heap-of-held KIND    hold 1000 old results (list, row, item; no-list: let them go), print the memory
        """

    /// Parses the arguments; prints the usage and exits for an unknown argument.
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
            case "--heap-of-handles": heapOfHandles = rest.popFirst().flatMap { Int($0) }
            case "--heap-of-environments": heapOfEnvironments = rest.popFirst().flatMap { Int($0) }
            case "--heap-of-held": heapOfHeld = rest.popFirst()
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

    /// The number of runs: `full`, or few with `quick`.
    func runs(_ full: Int) -> Int {
        quick ? 3 : full
    }
}
