import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import Testing

struct ValidatorTests {
    /// Mistakes of many kinds, in more definitions than one part of the traversal holds.
    @Test func diagnosticsDoNotDependOnTheNumberOfWorkers() {
        let definitions = (0..<400).map { index in
            """
            query Query\(index % 390)($id: ID!, $unused: Int) {
              film(id: $id) { id titel ...Part\(index) ... on Film @defer(label: "a") { same: id } same: title }
            }
            fragment Part\(index) on Film { title @include(if: $yes) same: \(index % 7 == 0 ? "id" : "title") ...Missing\(index) }
            """
        }
        var sources = SourceSet()
        let schema = sources.add(
            path: "schema.graphql", text: "type Query { film(id: ID!): Film } type Film { id: ID! title: String }")
        let document = sources.add(path: "document.graphql", text: definitions.joined(separator: "\n"))
        let tree = Parser.parseDocument(document).document
        let built = SchemaBuilder.build([Parser.parseDocument(schema).document]).schema
        let alone = Validator.validate([tree], built, workers: .one)
        #expect(alone.count > 2_000)
        for count in [2, 3, 16] {
            let together = Validator.validate([tree], built, workers: Workers(count: count))
            #expect(alone == together, "\(count) workers")
        }
    }
}
