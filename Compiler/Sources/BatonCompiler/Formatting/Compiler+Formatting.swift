import BatonDiagnostics
import BatonSyntax

/// The formatting of a project's files.
extension Compiler {
    /// A file, and its text after formatting if that differs.
    package struct FormattedFile: Sendable {
        package let path: AbsolutePath
        package let formatted: [UInt8]?
        /// Whether a mistake prevents formatting.
        package let isBroken: Bool
    }

    /// Finds the files that paths and patterns name. A path or pattern without files is reported.
    package mutating func filesToFormat(_ operands: [String]) -> [AbsolutePath] {
        let finder = FileFinder(base: workingDirectory, extensions: FileUse.formatting.extensions)
        let entries = operands.map { Configuration.Entry($0) }
        return Self.distinct(find(entries, with: finder, as: .formatting, emptiness: .isAMistake))
    }

    /// Finds the files of a project's documents. The files of its schema do not count.
    package mutating func filesToFormat(_ inputs: ProjectInputs) -> [AbsolutePath] {
        let schemaFinder = FileFinder(base: inputs.base, extensions: FileUse.schema.extensions)
        var schema: Set<AbsolutePath> = []
        for entry in inputs.schema + inputs.schemaExtensions {
            guard case .files(let files) = schemaFinder.find(entry.text) else { continue }
            schema.formUnion(files.map(InputFile.identity))
        }
        let leftOut = inputs.leftOut
        let finder = FileFinder(
            base: inputs.base, extensions: FileUse.documents.extensions,
            isExcluded: { schema.contains(InputFile.identity(of: $0)) || leftOut($0) }, isForeign: inputs.isSeparate)
        return Self.distinct(find(inputs.documents, with: finder, as: .documents, emptiness: .isFine))
    }

    /// The files without those to which an earlier path leads as well.
    private static func distinct(_ files: [AbsolutePath]) -> [AbsolutePath] {
        var identities: Set<AbsolutePath> = []
        return files.filter { identities.insert(InputFile.identity(of: $0)).inserted }
    }

    /// Formats files, and reports those with syntax errors and those that cannot be read. Writes nothing.
    package mutating func format(_ paths: [AbsolutePath]) -> [FormattedFile] {
        var files: [SourceFile] = []
        var broken: [FormattedFile] = []
        var pathsOfFiles: [AbsolutePath] = []
        for path in paths {
            do {
                files.append(addSource(path: displayed(path), bytes: try InputFile.readText(path)))
                pathsOfFiles.append(path)
            } catch {
                report([Diagnostic(.fileUnreadable, "'\(displayed(path))' \(error.reason)", at: .none)])
                broken.append(FormattedFile(path: path, formatted: nil, isBroken: true))
            }
        }
        let formatter = SourceFormatter(limits: limits)
        let outcomes = workers.map(files, weight: \.bytes.count) { files in
            files.map { file in (file, formatter.format(file)) }
        }
        var formatted: [FormattedFile] = []
        for ((file, outcome), path) in zip(outcomes.joined(), pathsOfFiles) {
            report(outcome.diagnostics)
            formatted.append(
                FormattedFile(
                    path: path,
                    formatted: outcome.edits.isEmpty ? nil : outcome.edits.applied(to: file.bytes),
                    isBroken: !outcome.diagnostics.isEmpty
                )
            )
        }
        return formatted + broken
    }

    /// Formats a text that is in no file; nil if it has a syntax error, which is reported. A path that ends with
    /// `.swift` makes it a Swift source.
    package mutating func format(_ bytes: [UInt8], path: String) -> [UInt8]? {
        if let kind = FileUse.formatting.foreignKind(of: path) {
            let message = "'\(path)' is a \(kind) file, and \(FileUse.formatting.rule)"
            report([Diagnostic(.fileUnreadable, message, at: .none, suggestion: FileUse.formatting.advice)])
            return nil
        }
        let file = addSource(path: path, bytes: UTF16Text.utf8(of: bytes) ?? bytes)
        let outcome = SourceFormatter(limits: limits).format(file)
        report(outcome.diagnostics)
        return outcome.diagnostics.isEmpty ? outcome.edits.applied(to: file.bytes) : nil
    }
}
