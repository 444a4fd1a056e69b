import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Loads the schema of a service.
enum LocalSchema {
    /// Reads a schema; throws all mistakes in the text. Warnings are ignored.
    static func load(_ text: String, clientSchema: String = "") throws(LocalSchemaError) -> Schema {
        var sources = SourceSet()
        let (document, mistakes) = Parser.parseDocument(sources.add(path: "schema", text: text))
        var extensions: (documents: [Document], mistakes: [Diagnostic]) = ([], [])
        if clientSchema.contains(where: { !$0.isWhitespace }) {
            let (document, mistakes) = Parser.parseDocument(sources.add(path: "client schema", text: clientSchema))
            extensions = ([document], mistakes)
        }
        let (schema, diagnostics) = SchemaBuilder.build([document], extensions: extensions.documents)
        let errors = (mistakes + extensions.mistakes + diagnostics).filter { $0.severity == .error }.sortedByPosition()
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
