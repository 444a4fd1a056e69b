/// A short form of many diagnostics for a person: every error, and a few warnings.
///
/// Errors come first. At most three warnings of one id are shown for a file, and twelve in all. A further line states
/// the number of warnings that are left out. All warnings about the server's schema become one line, because the reader
/// cannot change this schema.
package struct DiagnosticDigest {
    /// The entries in the order in which they are shown.
    package private(set) var entries: [Entry] = []

    package enum Entry: Hashable, Sendable {
        case diagnostic(Diagnostic)
        /// A line about diagnostics that are left out.
        case remainder(String)
    }

    /// The numbers of warnings of one id that are shown for a file, and in all.
    private static let perFile = 3
    private static let perID = 12

    private struct Group: Hashable {
        let id: DiagnosticID
        let path: String
    }

    /// Makes the digest of diagnostics. The warnings of the sources in `schema` become one line. With `isWhole`, no
    /// diagnostic is left out.
    package init(
        _ diagnostics: [Diagnostic], in sources: SourceSet, schema: Set<SourceID> = [], isWhole: Bool = false
    ) {
        let ordered = diagnostics.errorsFirst()
        if isWhole {
            entries = ordered.map(Entry.diagnostic)
            return
        }
        var ofSchema = Tally()
        var ofFiles: [Group: Int] = [:]
        let warnings = ordered.filter { $0.severity == .warning }
        let groups = warnings.map { Group(id: $0.id, path: sources[$0.span.source]?.path ?? "") }
        for (warning, group) in zip(warnings, groups) where !schema.contains(warning.span.source) {
            ofFiles[group, default: 0] += 1
        }
        entries = ordered.prefix(ordered.count - warnings.count).map(Entry.diagnostic)

        var seen: [Group: Int] = [:]
        var shown: [DiagnosticID: Int] = [:]
        var rest = Tally()
        var restFiles: [DiagnosticID: Set<String>] = [:]
        for (warning, group) in zip(warnings, groups) {
            if schema.contains(warning.span.source) {
                ofSchema.add(warning.id)
                continue
            }
            seen[group, default: 0] += 1
            if seen[group, default: 0] > Self.perFile, ofFiles[group] == nil { continue }
            if shown[warning.id, default: 0] >= Self.perID {
                rest.add(warning.id)
                restFiles[warning.id, default: []].insert(group.path)
                continue
            }
            shown[warning.id, default: 0] += 1
            entries.append(.diagnostic(warning))
            if seen[group] == Self.perFile, let count = ofFiles.removeValue(forKey: group), count > Self.perFile {
                entries.append(.remainder(Self.line(of: group, count - Self.perFile)))
            }
        }
        for (id, count) in rest.counts {
            let files = restFiles[id]?.count ?? 0
            let places = files == 1 ? "1 file" : "\(files) files"
            entries.append(.remainder("and \(count) more of [\(id.rawValue)] in \(places); " + Self.way(to: count)))
        }
        if ofSchema.total > 0 {
            let count = ofSchema.total == 1 ? "1 warning" : "\(ofSchema.total) warnings"
            let parts = ofSchema.counts.map { "\($0.count) of [\($0.id.rawValue)]" }.joined(separator: ", ")
            entries.append(.remainder("the schema has \(count): \(parts); " + Self.way(to: ofSchema.total)))
        }
    }

    private static func line(of group: Group, _ count: Int) -> String {
        let place = group.path.isEmpty ? "" : "\(group.path.printable): "
        let here = group.path.isEmpty ? "" : " in this file"
        return "\(place)and \(count) more of [\(group.id.rawValue)]\(here); " + way(to: count)
    }

    private static func way(to count: Int) -> String { "--all shows \(count == 1 ? "it" : "them")" }

    /// Counts diagnostics by id, in the order in which the ids first occur.
    private struct Tally {
        private(set) var counts: [(id: DiagnosticID, count: Int)] = []
        private var indices: [DiagnosticID: Int] = [:]

        var total: Int { counts.reduce(0) { $0 + $1.count } }

        mutating func add(_ id: DiagnosticID) {
            let index = indices[id] ?? counts.count
            if index == counts.count {
                indices[id] = index
                counts.append((id, 0))
            }
            counts[index].count += 1
        }
    }
}
