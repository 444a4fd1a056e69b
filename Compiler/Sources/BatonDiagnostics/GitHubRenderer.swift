/// Writes diagnostics as workflow commands of GitHub Actions, one line each. GitHub shows them beside the source.
///
///     ::error file=a.graphql,line=2,endLine=2,col=5,endColumn=8,title=unknown-field::unknown field 'x' on type 'Film'
///
/// The suggestion, the fix and the notes follow the message, each on a line of its own (`%0A`). A diagnostic over
/// several lines has no columns, because GitHub accepts none there. A diagnostic without a source has no position.
package struct GitHubRenderer {
    private var locator: SourceLocator

    package init(sources: SourceSet) {
        locator = SourceLocator(sources: sources)
    }

    /// The commands in the order of the diagnostics, each with a line break at its end.
    package mutating func render(_ diagnostics: [Diagnostic]) -> String {
        var output = ""
        for diagnostic in diagnostics {
            output += "::\(diagnostic.severity.rawValue) "
            if let place = locator.place(of: diagnostic.span) {
                let (start, end) = (place.start, place.end)
                output += "file="
                Self.append(place.path, isProperty: true, to: &output)
                output += ",line=\(start.line),endLine=\(end.line)"
                if start.line == end.line { output += ",col=\(start.column),endColumn=\(end.column)" }
                output += ","
            }
            output += "title=\(diagnostic.id.rawValue)::"
            for (index, line) in lines(of: diagnostic).enumerated() {
                if index > 0 { output += "%0A" }
                Self.append(line.printable, isProperty: false, to: &output)
            }
            output += "\n"
        }
        return output
    }

    private mutating func lines(of diagnostic: Diagnostic) -> [String] {
        var lines = [diagnostic.message]
        if let suggestion = diagnostic.suggestion { lines.append("help: \(suggestion)") }
        if let fix = diagnostic.fix {
            lines.append(fix.replacement.isEmpty ? "fix: remove this" : "fix: '\(fix.replacement)'")
        }
        for note in diagnostic.notes {
            let place = locator.place(of: note.span)
            let head = place.map { "\($0.path):\($0.start.line):\($0.start.column): " } ?? ""
            lines.append("\(head)note: \(note.message)")
        }
        return lines
    }

    /// Appends text with the escapes that GitHub decodes. Other control characters are escaped as in text output, so
    /// that they have no effect on a terminal that shows the log.
    private static func append(_ text: String, isProperty: Bool, to output: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": output += "%25"
            case "\r": output += "%0D"
            case "\n": output += "%0A"
            case ":" where isProperty: output += "%3A"
            case "," where isProperty: output += "%2C"
            case _ where scalar.isPrintable: output.unicodeScalars.append(scalar)
            default: output += scalar.escaped(asASCII: true)
            }
        }
    }
}
