import BatonCompiler
import BatonDiagnostics

/// A warning, or an error that the project lowers to one, that outlives the run that found it. Its places are offsets
/// in files instead of spans of a run's texts.
package struct KeptDiagnostic: Hashable, Sendable {
    /// A range of a file; no path stands for no place.
    package struct Place: Hashable, Sendable {
        package var path: AbsolutePath?
        package var start: UInt32
        package var end: UInt32
    }

    package struct Note: Hashable, Sendable {
        package var message: String
        package var place: Place
    }

    package struct Fix: Hashable, Sendable {
        package var replacement: String
        package var place: Place
    }

    package var id: String
    /// Whether the stage reported an error.
    package var isError = false
    package var isLowerable = false
    package var message: String
    package var place: Place
    package var notes: [Note] = []
    package var suggestion: String?
    package var fix: Fix?

    /// All files in which the warning has a place.
    var paths: Set<AbsolutePath> {
        Set(([place] + notes.map(\.place) + (fix.map { [$0.place] } ?? [])).compactMap(\.path))
    }

    /// The warning of a run, whose texts are in `compiler`.
    init(_ diagnostic: Diagnostic, in compiler: Compiler) {
        func place(_ span: Span) -> Place {
            guard let file = compiler.sources[span.source] else { return Place(path: nil, start: 0, end: 0) }
            func offset(_ position: UInt32) -> UInt32 {
                UInt32(truncatingIfNeeded: file.originalOffset(of: Int(position)))
            }
            let path = AbsolutePath(file.path, relativeTo: compiler.workingDirectory)
            return Place(path: path, start: offset(span.start), end: offset(span.end))
        }
        id = diagnostic.id.rawValue
        isError = diagnostic.severity == .error
        isLowerable = diagnostic.isLowerable
        message = diagnostic.message
        self.place = place(diagnostic.span)
        notes = diagnostic.notes.map { Note(message: $0.message, place: place($0.span)) }
        suggestion = diagnostic.suggestion
        fix = diagnostic.fix.map { Fix(replacement: $0.replacement, place: place($0.span)) }
    }

    init(id: String, message: String, place: Place) {
        self.id = id
        self.message = message
        self.place = place
    }

    /// The warning in another run; `sources` are the ids of that run's texts.
    func diagnostic(_ sources: [AbsolutePath: SourceID]) -> Diagnostic {
        func span(_ place: Place) -> Span {
            guard let source = place.path.flatMap({ sources[$0] }) else { return .none }
            return Span(source: source, start: place.start, end: place.end)
        }
        return Diagnostic(
            DiagnosticID(rawValue: id), severity: isError ? .error : .warning, message, at: span(place),
            notes: notes.map { .init($0.message, at: span($0.place)) }, suggestion: suggestion,
            fix: fix.map { .init($0.replacement, at: span($0.place)) }, isLowerable: isLowerable)
    }
}
