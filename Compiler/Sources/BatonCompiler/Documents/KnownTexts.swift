import BatonDiagnostics
import BatonSyntax

/// The documents of files that were parsed in an earlier run, so that a run parses only what has changed.
///
/// The positions in a document name its source, so that a file is known only under the id that it had. This holds as
/// long as the files of a project are the same ones. A file with escapes in a literal is never known, because the
/// values of such literals are sources with ids of their own.
package struct KnownTexts: Sendable {
    private var entries: [SourceID: Entry] = [:]
    private var limits = ParserLimits()

    struct Entry: Sendable {
        let file: SourceFile
        var documents: [LoadedDocument] = []
        var diagnostics: [Diagnostic] = []
        /// Whether a literal of the file became a source.
        var hasOwnSources = false

        init(file: SourceFile) {
            self.file = file
        }
    }

    /// Knows nothing.
    package init() {}

    init(_ loaded: [Entry], _ limits: ParserLimits) {
        self.limits = limits
        entries.reserveCapacity(loaded.count)
        for entry in loaded where !entry.hasOwnSources { entries[entry.file.id] = entry }
    }

    /// What was parsed of a file, if its text is the same.
    func entry(of file: SourceFile, _ limits: ParserLimits) -> Entry? {
        guard limits == self.limits, let entry = entries[file.id], entry.file.path == file.path,
            entry.file.bytes == file.bytes
        else { return nil }
        return entry
    }
}
