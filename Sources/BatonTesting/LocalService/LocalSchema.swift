import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Loads the schema of a service.
enum LocalSchema {
    /// Reads a schema; throws all mistakes in the text. Warnings are ignored.
    static func load(_ text: String) throws(LocalSchemaError) -> Schema {
        var sources = SourceSet()
        let file = sources.add(path: "schema", text: text)
        let (document, syntaxDiagnostics) = Parser.parseDocument(file)
        let (schema, diagnostics) = SchemaBuilder.build([document])
        let errors = (syntaxDiagnostics + diagnostics).filter { $0.severity == .error }.sortedByPosition()
        guard errors.isEmpty else {
            var renderer = TextRenderer(sources: sources)
            throw LocalSchemaError(
                messages: errors.map { error in
                    var text = renderer.render([error])
                    if text.last == "\n" { text.removeLast() }
                    return text
                }
            )
        }
        return schema
    }
}
