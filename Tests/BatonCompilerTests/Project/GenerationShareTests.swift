import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSchema
import Testing

/// A project that is generated in shares has the artifacts and warnings of one that is generated as a whole.
struct GenerationShareTests {
    private static let schema = """
        type Query { node(id: ID!): Node film(kind: Kind, by: By): Film films(first: Int): [Film!]! }
        interface Node { id: ID! }
        type Film implements Node { id: ID! title: String year: Int kind: Kind next: Film released: Date }
        enum Kind { GOOD BAD }
        input By { kind: Kind }
        scalar Date
        """

    /// Generates documents in shares of a size, and says in how many.
    private func generate(_ documents: [String], size: Int) throws -> (Compilation.Generation, [Diagnostic]) {
        var compiler = Compiler()
        compiler.shareSize = size
        let source = compiler.addSource(path: "schema.graphql", text: Self.schema)
        let loaded = compiler.loadSchema([source], extensions: [])
        let texts = documents.enumerated().map { compiler.addSource(path: "\($0).graphql", text: $1) }
        let (parsed, found) = compiler.parse(texts)
        let compilation = compiler.compilation(schema: loaded.schema, documents: parsed)
        #expect(!(found + compilation.validate()).hasErrors)
        var options = GenerationOptions()
        options.unstored.fields = ["Film.title"]
        let made = compilation.generate(options)
        return (made, compiler.sorted(made.diagnostics))
    }

    /// Compares shares of every size with the whole; returns the largest number of shares.
    private func compare(_ documents: [String]) throws -> Int {
        let (whole, warnings) = try generate(documents, size: .max)
        #expect(whole.shares == 1 && !whole.files.isEmpty)
        var most = 1
        for size in 1...documents.count {
            let (made, found) = try generate(documents, size: size)
            #expect(made.files.map(\.name) == whole.files.map(\.name), "\(size)")
            #expect(made.files.map(\.text) == whole.files.map(\.text), "\(size)")
            #expect(made.files.map(\.owner) == whole.files.map(\.owner), "\(size)")
            #expect(made.usedTypes == whole.usedTypes, "\(size)")
            #expect(found == warnings, "\(size)")
            most = max(most, made.shares)
        }
        return most
    }

    private static let documents = [
        "query A { film(kind: GOOD) { ...Row next { ...Card } } }", "query B($by: By) { film(by: $by) { ...Card } }",
        "fragment Row on Film { id title @required(action: NONE) }", "fragment Card on Film { ...Row kind released }",
        """
        fragment Own on Film @refetchable(queryName: "OwnQuery") { id year }
        query C { films { id @required(action: NONE) ...Own } }
        """, "query D @preloadable { film { year } }",
    ]

    @Test func sharesOfEverySizeAreTheWhole() throws {
        #expect(try compare(Self.documents) == 7)
    }

    @Test func aTakenNameIsSeenBetweenShares() throws {
        let more = [
            "fragment DQuery on Film { id }", "query E { film { ...DQuery kind } }", "query kind { film { id } }",
        ]
        #expect(try compare(Self.documents + more) == 1)
    }

    @Test func argumentsThatEmptyAFragmentAreSeenBetweenShares() throws {
        let more = [
            "query E { film { ...Only @arguments(on: false) } }",
            """
            fragment Only on Film @argumentDefinitions(on: {type: "Boolean!", defaultValue: true}) {
              next @include(if: $on) { title }
            }
            """,
        ]
        #expect(try compare(Self.documents + more) == 1)
    }

    @Test func aWarningInAFragmentWithoutItsMaskIsFoundOnce() throws {
        let more = [
            "query E { film { ...Bare @relay(mask: false) } }", "query F { film { ...Bare @relay(mask: false) } }",
            "fragment Bare on Film { id @required(action: NONE) }",
        ]
        #expect(try compare(Self.documents + more) == 1)
    }
}
