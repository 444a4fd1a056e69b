import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSchema
import Testing

/// The files with builders. What they do is tested where they are compiled.
struct BuilderGenerationTests {
    private static let schema = """
        "What can be asked."
        type Query { node(id: ID!): Node films(first: Int, by: By): [Film]! unused: Unused }
        interface Node { id: ID! }
        type Film implements Node { id: ID! title: String! year: Int kind: Kind next: Film other: Unused }
        type Person implements Node { id: ID! name: String }
        type Unused { id: ID! }
        enum Kind { GOOD BAD }
        input By { kind: Kind }
        """

    private static let documents = """
        query FilmsQuery($first: Int) { films(first: $first) { ...Row next { title } } node(id: "1") { ... on Film { year } } }
        fragment Row on Film { title kind ...Inner @alias(as: "rest") }
        fragment Inner on Film { year }
        """

    private func files(
        _ change: (inout GenerationOptions) -> Void = { _ in }
    ) -> (builders: [String: String], artifacts: [String]) {
        var options = GenerationOptions()
        change(&options)
        var compiler = Compiler()
        let source = compiler.addSource(path: "schema.graphql", text: Self.schema)
        let loaded = compiler.loadSchema([source], extensions: [])
        let (parsed, found) = compiler.parse([compiler.addSource(path: "films.graphql", text: Self.documents)])
        let compilation = compiler.compilation(schema: loaded.schema, documents: parsed)
        #expect(!(found + compilation.validate()).hasErrors)
        let artifacts = compilation.generate(options).files.map(\.text)
        options.builders = true
        let made = compilation.builders(options)
        #expect(!made.diagnostics.hasErrors)
        let texts = made.files.map { ($0.name, $0.text) }
        return (Dictionary(texts, uniquingKeysWith: { first, _ in first }), artifacts)
    }

    @Test func eachDefinitionHasABuilder() throws {
        let builders = files().builders
        #expect(
            builders.keys.sorted() == [
                "BuilderSchema+Types.graphql.swift", "BuilderSchema.graphql.swift", "FilmsQuery+Builder.graphql.swift",
                "Inner+Builder.graphql.swift", "Row+Builder.graphql.swift",
            ])
        let query = try #require(builders["FilmsQuery+Builder.graphql.swift"])
        #expect(query.contains("var films: GeneratedCode.NullableListBuilder<FilmsQuery.Builder.Film> {"))
        #expect(query.contains("var next: FilmsQuery.Builder.Film.Next! {"))
        #expect(query.contains("var node: FilmsQuery.Builder.Node! {"))
        #expect(query.contains(#"get { __edits[on: "Film"] }"#))
        #expect(query.contains("var __typename: BuilderSchema.Node.ObjectType {"))
    }

    @Test func spreadsAreBuildersOfTheirFragments() throws {
        let builders = files().builders
        #expect(builders["FilmsQuery+Builder.graphql.swift"]?.contains("var row: Row.Builder {") == true)
        let row = try #require(builders["Row+Builder.graphql.swift"])
        #expect(row.contains("var rest: Inner.Builder {") && row.contains("var kind: Kind? {"))
        #expect(row.contains("query make_Row($__id:ID){made:make_Film(id:$__id){...Row,id}}"))
        #expect(row.contains("throws(BatonTesting.BuilderError) -> FragmentReference<Row>"))
    }

    @Test func theTableHasWhatTheDocumentsUse() throws {
        let shared = try #require(files().builders["BuilderSchema.graphql.swift"])
        #expect(shared.contains("type Film implements Node{id:ID!title:String!year:Int kind:Kind next:Film}"))
        #expect(shared.contains("make_Film(id:ID):Film!") && shared.contains("input By{kind:Kind}"))
        #expect(!shared.contains("Unused") && !shared.contains("What can be asked"))
    }

    @Test func eachTypeOfTheTableHasABuilder() throws {
        let types = try #require(files().builders["BuilderSchema+Types.graphql.swift"])
        #expect(types.contains(#"case film = "Film", person = "Person""#))
        #expect(types.contains("struct Film: GeneratedCode.EntityBuilder") && types.contains("var kind: Kind? {"))
        #expect(
            types.contains("struct Node: GeneratedCode.FieldsBuilder")
                && types.contains("var asFilm: BuilderSchema.Film"))
        #expect(
            types.contains("struct Query: GeneratedCode.FieldsBuilder")
                && types.contains("var next: BuilderSchema.Film!"))
        #expect(!types.contains("Unused") && !types.contains("make_"))
    }

    @Test func buildersImportTheModuleOfTheArtifacts() {
        let own = files().builders["Row+Builder.graphql.swift"]
        #expect(own?.contains("import Films") == false)
        let other = files { options in
            options.module = "Films"
            options.access = .public
        }
        #expect(other.builders["Row+Builder.graphql.swift"]?.contains("public import Films\n") == true)
        #expect(other.builders["Row+Builder.graphql.swift"]?.contains("public import BatonTesting\n") == true)
        let testable = files { $0.module = "Films" }.builders["Row+Builder.graphql.swift"]
        #expect(testable?.contains("@testable import Films\n") == true)
    }

    @Test func artifactsAreTheSameWithBuilders() {
        #expect(files().artifacts == files { $0.builders = true }.artifacts)
        #expect(files { $0.builders = true }.artifacts.allSatisfy { !$0.contains("BatonTesting") })
    }
}
