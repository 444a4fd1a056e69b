import BatonCompiler
import BatonDiagnostics
import BatonProject

/// The diagnostics of a judgement by the files in which they stand, in the form of the protocol.
package struct FiledDiagnostics: Sendable {
    package struct Item: Hashable, Sendable {
        package let kept: KeptDiagnostic
        package let json: JSONValue
        package let range: TextRange
        /// The change that corrects the mistake, in the same file.
        package let fix: TextChange?
    }

    package struct TextChange: Hashable, Sendable {
        package let path: AbsolutePath
        package let range: TextRange
        package let text: String
    }

    package private(set) var items: [AbsolutePath: [Item]] = [:]
    private var lines: [AbsolutePath: LineIndex] = [:]

    /// Files the diagnostics of a judgement. Diagnostics without a place go to the beginning of the configuration.
    init(_ judgement: ProjectJudge.Judgement, configuration: AbsolutePath) {
        let view = judgement.view
        var texts: [AbsolutePath: [UInt8]] = [:]
        for file in view.compiler.sources.files.prefix(1) { texts[configuration] = file.bytes }
        if texts.isEmpty { texts[configuration] = (try? InputFile.readText(configuration)) ?? [] }
        func index(_ path: AbsolutePath, _ lines: inout [AbsolutePath: LineIndex]) -> LineIndex {
            if let known = lines[path] { return known }
            let made = LineIndex(view.bytes(of: path) ?? texts[path] ?? [])
            lines[path] = made
            return made
        }
        func place(_ place: KeptDiagnostic.Place) -> (path: AbsolutePath, range: TextRange) {
            let path = place.path ?? configuration
            let range = Int(place.start)..<Int(max(place.start, place.end))
            return (path, index(path, &lines).range(of: place.path == nil ? 0..<0 : range))
        }
        for kept in judgement.diagnostics {
            let (path, range) = place(kept.place)
            let notes = kept.notes.filter { $0.place.path != nil }.map { note -> JSONValue in
                let (path, range) = place(note.place)
                return [
                    "location": ["uri": .string(DocumentURI(path).text), "range": range.json],
                    "message": .string(note.message),
                ]
            }
            let fix = kept.fix.map { fix in
                let (path, range) = place(fix.place)
                return TextChange(path: path, range: range, text: fix.replacement)
            }
            let item = Item(kept: kept, json: Self.json(kept, range, notes), range: range, fix: fix)
            items[path, default: []].append(item)
        }
    }

    private static let faded: Set<String> = ["unused-fragment", "unused-variable"]

    private static func json(_ kept: KeptDiagnostic, _ range: TextRange, _ notes: [JSONValue]) -> JSONValue {
        let message = kept.message + (kept.suggestion.map { "; " + $0 } ?? "")
        var tags: [JSONValue] = []
        if kept.id == "deprecated" { tags.append(2) }
        if faded.contains(kept.id) { tags.append(1) }
        let json: JSONValue = [
            "range": range.json, "severity": kept.isError ? 1 : 2, "code": .string(kept.id), "source": "baton",
            "message": .string(message),
        ]
        return json.with("tags", tags.isEmpty ? nil : .array(tags))
            .with("relatedInformation", notes.isEmpty ? nil : .array(notes))
    }

    /// Adds the diagnostics that the rest of an earlier judgement has found in files that have not changed since.
    mutating func keep(_ late: [AbsolutePath: [Item]]) {
        for (path, more) in late { items[path, default: []] += more }
    }

    /// The diagnostics that are not among those of another judgement, by file.
    func beyond(_ others: FiledDiagnostics) -> [AbsolutePath: [Item]] {
        var result: [AbsolutePath: [Item]] = [:]
        for (path, own) in items {
            let known = Set(others.items[path] ?? [])
            let more = own.filter { !known.contains($0) }
            if !more.isEmpty { result[path] = more }
        }
        return result
    }
}
