import BatonDiagnostics

/// The files that entries of a configuration or of a command line name, and what is said of entries without files.
extension Compiler {
    /// The severity of a pattern or folder that matches no file.
    enum Emptiness {
        case isFine
        case isOdd
        case isAMistake
        /// The entry names the schema, which must exist.
        case isWithoutSchema
    }

    /// The files that entries name, sorted, each path once.
    mutating func find(
        _ entries: [Configuration.Entry], with finder: FileFinder, as use: FileUse, emptiness: Emptiness
    ) -> [AbsolutePath] {
        var found: [AbsolutePath] = []
        for entry in entries {
            switch finder.find(entry.text) {
            case .files(let files):
                if let kind = foreignKind(of: entry, files, finder, use) {
                    report([
                        Diagnostic(
                            .fileUnreadable, "'\(entry.text)' is a \(kind) file, and \(use.rule)", at: entry.span,
                            suggestion: use.advice)
                    ])
                    continue
                }
                found = found.isEmpty ? files : Set(found).union(files).sorted()
                if files.isEmpty {
                    reportEmpty(entry, finder, use, emptiness)
                } else {
                    reportForeignAlternatives(entry, finder, use)
                }
            case .notFound:
                let advice = emptiness == .isWithoutSchema ? Self.schemaAdvice : nil
                report([
                    Diagnostic(.fileNotFound, "'\(entry.text)' does not exist", at: entry.span, suggestion: advice)
                ])
            case .invalid(let mistake):
                report([Diagnostic(.patternInvalid, mistake.message, at: entry.span)])
            }
        }
        return found
    }

    /// The kind of the file that an entry names by its path, if that kind is not read.
    private func foreignKind(
        of entry: Configuration.Entry, _ files: [AbsolutePath], _ finder: FileFinder, _ use: FileUse
    ) -> String? {
        guard let file = files.first, files.count == 1, !Glob.isPattern(entry.text),
            file == AbsolutePath(entry.text, relativeTo: finder.base)
        else { return nil }
        return use.foreignKind(of: file.name)
    }

    private mutating func reportEmpty(
        _ entry: Configuration.Entry, _ finder: FileFinder, _ use: FileUse, _ emptiness: Emptiness
    ) {
        guard emptiness != .isFine else { return }
        var message = "'\(entry.text)' finds no \(emptiness == .isWithoutSchema ? "schema" : "file")"
        var suggestion = emptiness == .isWithoutSchema ? Self.schemaAdvice : nil
        let others = Self.files(finder.searching(for: nil).find(entry.text))
        if !others.isEmpty {
            let kinds = use.names(ofKinds: others.map(\.name))
            (message, suggestion) = ("'\(entry.text)' finds only \(kinds) files, and \(use.rule)", use.advice)
        } else if !Self.files(finder.searching(for: finder.extensions, leavesOut: false).find(entry.text)).isEmpty {
            message = "'\(entry.text)' is left out of the documents"
            suggestion = "it is part of the schema, of the output, or excluded"
        }
        let id: DiagnosticID = emptiness == .isWithoutSchema ? .fileNotFound : .patternUnmatched
        report([
            Diagnostic(
                id, severity: emptiness == .isOdd ? .warning : .error, message, at: entry.span, suggestion: suggestion)
        ])
    }

    /// Warns of the extensions in a pattern, such as `*.{tsx,graphql}`, whose files are not read.
    private mutating func reportForeignAlternatives(
        _ entry: Configuration.Entry, _ finder: FileFinder, _ use: FileUse
    ) {
        guard Glob.isPattern(entry.text), let glob = try? Glob(entry.text) else { return }
        let foreign = glob.writtenExtensions.filter { use.foreignKind(of: "." + $0) != nil }
        guard !foreign.isEmpty else { return }
        let others = Self.files(finder.searching(for: foreign).find(entry.text))
        guard !others.isEmpty else { return }
        report([
            Diagnostic(
                .patternUnmatched, severity: .warning,
                "'\(entry.text)' names \(use.names(ofKinds: others.map(\.name))) files too, and \(use.rule)",
                at: entry.span, suggestion: use.advice)
        ])
    }

    private static func files(_ finding: FileFinder.Finding) -> [AbsolutePath] {
        if case .files(let files) = finding { files } else { [] }
    }

    /// Advice on how to get a schema.
    private static let schemaAdvice =
        "put the server's schema there, in SDL or as the answer to the introspection query; "
        + "'baton schema fetch URL' asks a server for it"
}
