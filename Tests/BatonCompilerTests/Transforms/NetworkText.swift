import BatonCompiler
import BatonDiagnostics
import BatonSyntax
import BatonValidation
import Testing

/// Checks texts of requests as a server would.
enum NetworkText {
    /// Checks that every text parses and is valid, and that the fields that a writer needs first begin the selections
    /// of objects.
    static func checkAll(of compilation: Compilation, _ where: String) throws {
        let (texts, found) = compilation.operationTexts()
        #expect(!found.hasErrors, "\(`where`): \(found)")
        for (name, text) in texts.map({ ($0.name, $0.text) }) {
            var sources = SourceSet()
            let source = sources.add(path: name, text: text)
            let (document, found) = Parser.parseDocument(source)
            var diagnostics = found
            if !found.hasErrors { diagnostics += Validator.validate([document], compilation.schema) }
            // Copies of a fragment for different arguments have the same labels, as in Relay's texts.
            let errors = diagnostics.filter {
                $0.severity == .error && $0.id != .duplicateLabel || $0.id.rawValue.hasPrefix("unused")
            }
            var renderer = TextRenderer(sources: sources)
            #expect(errors.isEmpty, "\(`where`), \(name): \(text)\n\(renderer.render(errors))")
        }
    }
}
