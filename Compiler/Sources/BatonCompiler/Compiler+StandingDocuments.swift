import BatonCodegen
import BatonDiagnostics
import BatonSyntax

/// The search for documents that still stand in sources, although a run did not read them. They are written as
/// `gql("...")`, or no pattern matches their file any more. Without this search, their artifacts would be removed
/// without a message.
extension Compiler {
    /// Finds documents that still stand in the sources of files that a plan would remove. If there are any, keeps all
    /// these files, and reports a warning at each document.
    ///
    /// The search reads each Swift source once more. There is no search if the plan removes no files.
    package mutating func keepStandingDocuments(_ plan: inout ArtifactPlan, _ inputs: ProjectInputs) {
        guard !plan.removed.isEmpty else { return }
        var standing: [Diagnostic] = []
        for document in unreadDocuments(in: sourcesToSearch(plan, inputs)) {
            for definition in document.definitions {
                guard let (origin, type, span) = Self.names(of: definition),
                    let name = plan.removed.first(where: { name in
                        name == type + ArtifactPlan.suffix || plan.origins[name]?.hasPrefix(origin + " ") == true
                    })
                else { continue }
                let path = displayed(plan.folder.appending(name))
                standing.append(
                    Diagnostic(
                        .artifactKept, severity: .warning,
                        "'\(path)' is kept, because '\(type)' stands here, where it is not read", at: span,
                        suggestion:
                            "write it as 'graphql(...)' in a file that 'documents' names, or remove the artifact"))
            }
        }
        if standing.isEmpty { return }
        plan.keepRemoved()
        report(standing)
    }

    /// The Swift sources to search: those that were read, and unread ones in which artifacts that the plan removes have
    /// their origin.
    private mutating func sourcesToSearch(
        _ plan: ArtifactPlan, _ inputs: ProjectInputs
    ) -> [(file: SourceFile, isRead: Bool)] {
        let read = sources.files.filter { $0.derivation == nil }
        var known = Set(read.map { InputFile.identity(of: AbsolutePath($0.path, relativeTo: workingDirectory)) })
        var found = read.filter { FileFinder.isSwift($0.path) }.map { ($0, true) }
        let leftOut = inputs.leftOut
        for name in plan.removed {
            guard let origin = plan.origins[name] else { continue }
            let relative = origin.firstRange(of: " in ").map { origin[$0.upperBound...] } ?? origin
            let path = AbsolutePath(String(relative), relativeTo: inputs.base)
            guard known.insert(InputFile.identity(of: path)).inserted, FileKind(at: path) == .file else { continue }
            var folders = [path]
            while let last = folders.last, last != inputs.base, last.isInside(inputs.base) {
                folders.append(last.parent)
            }
            if folders.dropLast().contains(where: { leftOut($0) || inputs.isSeparate($0) }) { continue }
            guard let bytes = try? InputFile.readText(path) else { continue }
            found.append((addSource(path: displayed(path), bytes: bytes), false))
        }
        return found
    }

    private mutating func unreadDocuments(in files: [(file: SourceFile, isRead: Bool)]) -> [Document] {
        var documents: [Document] = []
        for (file, isRead) in files {
            guard FileFinder.isSwift(file.path) else {
                documents.append(Parser.parseDocument(file, limits: limits).0)
                continue
            }
            let scanner = SwiftScanner.scan(file, entirely: true)
            for literal in scanner.unread + (isRead ? [] : scanner.literals) {
                guard literal.hasEscapes else {
                    documents.append(Parser.parseDocument(file, range: literal.content, limits: limits).0)
                    continue
                }
                let (bytes, segments, _) = literal.value(in: file)
                let derivation = SourceFile.Derivation(original: file, segments: segments)
                let text = sources.add(path: file.path, bytes: bytes, derivation: derivation)
                documents.append(Parser.parseDocument(text, limits: limits).0)
            }
        }
        return documents
    }

    /// The beginning of the origin in the header of a definition's artifact, the name of its Swift type unless another
    /// definition has that name, and the place of its name.
    private static func names(of definition: Definition) -> (origin: String, type: String, span: Span)? {
        switch definition {
        case .operation(let operation):
            guard let name = operation.name else { return nil }
            let type = TypeNames.typeName(name.text, operation.kind)
            return ("\(operation.kind.rawValue) \(name.text)", type, name.span)
        case .fragment(let fragment):
            let name = fragment.name
            return ("fragment \(name.text)", SwiftName.uppercasingFirst(name.text), name.span)
        case .schema, .type, .directive: return nil
        }
    }
}
