import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Reads a schema for a service.
enum LocalSchema {
    /// Throws every mistake in the text; warnings pass.
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
