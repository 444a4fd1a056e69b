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
    /// The number of diagnostics that are left out of files with more than `limit`.
    package private(set) var omitted: [AbsolutePath: Int] = [:]
    private var lines: [AbsolutePath: LineIndex] = [:]

    /// The largest number of diagnostics of a file, which no editor shows quickly if there are tens of thousands.
    package static let limit = 1_000

    /// Files the diagnostics of a judgement. Diagnostics without a place go to the beginning of the configuration. Of
    /// more than `limit` diagnostics in a file, the errors come before the warnings.
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
        for kept in chosen(judgement.diagnostics, configuration) {
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

    /// Leaves out, and counts, what is too much for its file.
    private mutating func chosen(_ diagnostics: [KeptDiagnostic], _ configuration: AbsolutePath) -> [KeptDiagnostic] {
        var errors: [AbsolutePath: Int] = [:]
        var warnings: [AbsolutePath: Int] = [:]
        for kept in diagnostics {
            if kept.isError {
                errors[kept.place.path ?? configuration, default: 0] += 1
            } else {
                warnings[kept.place.path ?? configuration, default: 0] += 1
            }
        }
        for (path, count) in errors.merging(warnings, uniquingKeysWith: +) where count > Self.limit {
            omitted[path] = count - Self.limit
        }
        if omitted.isEmpty { return diagnostics }
        var errorsLeft = omitted.mapValues { _ in Self.limit }
        var warningsLeft = omitted.keys.reduce(into: [:]) { $0[$1] = max(0, Self.limit - (errors[$1] ?? 0)) }
        return diagnostics.filter { kept in
            let path = kept.place.path ?? configuration
            guard omitted[path] != nil else { return true }
            if kept.isError { errorsLeft[path, default: 0] -= 1 } else { warningsLeft[path, default: 0] -= 1 }
            return (kept.isError ? errorsLeft[path] : warningsLeft[path]) ?? 0 >= 0
        }
    }

    /// The diagnostic at the beginning of a file that says how many others are left out.
    static func note(omitting count: Int) -> JSONValue {
        let start = TextPosition(line: 0, character: 0)
        return [
            "range": TextRange(start: start, end: start).json, "severity": 2, "source": "baton",
            "message": .string("\(count) more diagnostics are not shown; 'baton validate' prints all"),
        ]
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
