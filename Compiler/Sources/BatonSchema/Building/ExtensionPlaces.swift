import BatonDiagnostics
import BatonSyntax

/// Where the mistakes of client schema extensions are reported.
///
/// The server's documents are built twice, alone and with the extensions. What is wrong without the extensions is
/// reported by the first build. Everything else is caused by an extension, and is reported there.
struct ExtensionPlaces {
    private let extensions: Set<SourceID>
    private let known: Set<Mistake>
    private var movedTo: Set<Mistake> = []

    /// Diagnostics of the server's documents alone are known.
    init(extensions: Set<SourceID>, known: [Diagnostic]) {
        self.extensions = extensions
        self.known = Set(known.map(Mistake.init))
    }

    /// The mistake at its place in an extension, once for each place that it is moved to; nil if it is known.
    mutating func placed(_ diagnostic: Diagnostic) -> Diagnostic? {
        if known.contains(Mistake(diagnostic)) { return nil }
        guard !extensions.contains(diagnostic.span.source),
            let index = diagnostic.notes.firstIndex(where: { extensions.contains($0.span.source) })
        else { return diagnostic }
        var moved = diagnostic
        moved.span = moved.notes.remove(at: index).span
        moved.notes.insert(.init("it matters here", at: diagnostic.span), at: 0)
        return movedTo.insert(Mistake(moved)).inserted ? moved : nil
    }
}

/// The id and the place of a diagnostic, without its message.
private struct Mistake: Hashable {
    let id: DiagnosticID
    let span: Span

    init(_ diagnostic: Diagnostic) {
        id = diagnostic.id
        span = diagnostic.span
    }
}
