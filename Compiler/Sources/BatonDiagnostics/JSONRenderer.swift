/// Writes diagnostics for tools, as one JSON object on one line.
///
///     {"diagnostics": [{"id": "unknown-field", "severity": "error", "message": "...", "path": "a.graphql",
///       "line": 2, "column": 5, "endLine": 2, "endColumn": 8, "suggestion": "did you mean 'name'?",
///       "fix": {"replacement": "name", "path": "...", "line": 2, "column": 5, "endLine": 2, "endColumn": 8},
///       "notes": [{"message": "...", "path": "...", "line": 1, "column": 1, "endLine": 1, "endColumn": 4}]}]}
///
/// `suggestion` and `fix` are left out if there is none. `path`, `line`, `column`, `endLine` and `endColumn` are left
/// out if the diagnostic has no source. Lines and columns count from 1; the end is the position after the last
/// character.
package struct JSONRenderer {
    private var locator: SourceLocator

    package init(sources: SourceSet) {
        locator = SourceLocator(sources: sources)
    }

    /// The JSON text without a line break at its end.
    package mutating func render(_ diagnostics: [Diagnostic]) -> String {
        var output = "{\"diagnostics\":["
        for (index, diagnostic) in diagnostics.enumerated() {
            if index > 0 { output += "," }
            output += "{\"id\":" + diagnostic.id.rawValue.quoted(in: .json)
            output += ",\"severity\":" + diagnostic.severity.rawValue.quoted(in: .json)
            output += ",\"message\":" + diagnostic.message.quoted(in: .json)
            appendPosition(of: diagnostic.span, to: &output)
            if let suggestion = diagnostic.suggestion { output += ",\"suggestion\":" + suggestion.quoted(in: .json) }
            if let fix = diagnostic.fix {
                output += ",\"fix\":{\"replacement\":" + fix.replacement.quoted(in: .json)
                appendPosition(of: fix.span, to: &output)
                output += "}"
            }
            output += ",\"notes\":["
            for (noteIndex, note) in diagnostic.notes.enumerated() {
                if noteIndex > 0 { output += "," }
                output += "{\"message\":" + note.message.quoted(in: .json)
                appendPosition(of: note.span, to: &output)
                output += "}"
            }
            output += "]}"
        }
        return output + "]}"
    }

    private mutating func appendPosition(of span: Span, to output: inout String) {
        guard let place = locator.place(of: span) else { return }
        output += ",\"path\":" + place.path.quoted(in: .json)
        output += ",\"line\":\(place.start.line),\"column\":\(place.start.column)"
        output += ",\"endLine\":\(place.end.line),\"endColumn\":\(place.end.column)"
    }
}
