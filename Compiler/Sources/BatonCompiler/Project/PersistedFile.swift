import BatonDiagnostics
import Foundation

/// The file that maps the ids of texts to the texts, for the server that persists them.
///
/// Entries are only added, because older builds of apps still send the ids of older texts. `make` reads the file, and
/// `apply` writes it.
package struct PersistedFile: Sendable {
    package let path: AbsolutePath
    /// Whether the file exists.
    package let isThere: Bool
    /// The number of texts that are not in the file.
    package let addedCount: Int
    private let text: String

    package var isChanged: Bool { addedCount > 0 || !isThere }

    /// Compares the texts with the file, which may not exist. Nil if the file does not map ids to texts.
    package static func make(
        _ texts: [String: String], at path: AbsolutePath, displayed: (AbsolutePath) -> String
    ) -> (file: PersistedFile?, diagnostics: [Diagnostic]) {
        var entries: [String: String] = [:]
        var isThere = true
        do throws(InputFile.Failure) {
            let bytes = try InputFile.readText(path)
            guard let known = read(bytes) else {
                let message = "'\(displayed(path))' is no JSON object of ids and texts, and stands where one belongs"
                let suggestion = "move it away, or choose another 'persistConfig.file'"
                return (nil, [Diagnostic(.artifactConflict, message, at: .none, suggestion: suggestion)])
            }
            entries = known
        } catch {
            guard error.isMissing else {
                let message = "'\(displayed(path))' stands where the ids of texts belong and \(error.reason)"
                return (nil, [Diagnostic(.artifactConflict, message, at: .none)])
            }
            isThere = false
        }
        let added = texts.filter { entries[$0.key] != $0.value }
        entries.merge(added) { _, new in new }
        let sorted = entries.sorted { $0.key < $1.key }
        let text = JSONValue.object(sorted.map { .init(key: $0.key, value: .string($0.value)) }).indentedText + "\n"
        return (PersistedFile(path: path, isThere: isThere, addedCount: added.count, text: text), [])
    }

    /// Writes the file beside its place and then moves it. Returns a failure.
    package func apply(displayed: (AbsolutePath) -> String) -> [Diagnostic] {
        guard isChanged else { return [] }
        do {
            let folder = path.parent.description
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try OutputFile.write(text, to: path)
            return []
        } catch {
            let reason = (error as? OutputFile.Failure)?.reason ?? error.localizedDescription
            return [Diagnostic(.artifactUnwritable, "'\(displayed(path))' cannot be written: \(reason)", at: .none)]
        }
    }

    private static func read(_ bytes: [UInt8]) -> [String: String]? {
        var sources = SourceSet()
        let file = sources.add(path: "", bytes: bytes)
        let (node, diagnostics) = JSONParser.parse(file, syntaxID: .configurationSyntax, keyID: .configurationKey)
        guard diagnostics.isEmpty, case .object(let members)? = node?.value else { return nil }
        var entries: [String: String] = [:]
        for member in members {
            guard case .string(let text) = member.node.value else { return nil }
            entries[member.key] = text
        }
        return entries
    }
}
