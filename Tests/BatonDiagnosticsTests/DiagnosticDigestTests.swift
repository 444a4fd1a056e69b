import BatonDiagnostics
import BatonSchema
import BatonValidation
import Testing

@Suite struct DiagnosticDigestTests {
    private static func file(_ sources: inout SourceSet, _ path: String) -> Span {
        let id = sources.add(path: path, text: "x").id
        return Span(source: id, start: 0, end: 1)
    }

    private static func warning(_ id: DiagnosticID, _ message: String, at span: Span) -> Diagnostic {
        Diagnostic(id, severity: .warning, message, at: span)
    }

    /// The messages of the shown diagnostics, and the lines about the others.
    private static func lines(
        _ diagnostics: [Diagnostic], _ sources: SourceSet, schema: Set<SourceID> = [], isWhole: Bool = false
    ) -> [String] {
        DiagnosticDigest(diagnostics, in: sources, schema: schema, isWhole: isWhole).entries.map { entry in
            switch entry {
            case .diagnostic(let diagnostic): diagnostic.message
            case .remainder(let line): "- " + line
            }
        }
    }

    @Test func everyErrorIsShownBeforeTheWarnings() {
        var sources = SourceSet()
        let (a, b) = (Self.file(&sources, "a"), Self.file(&sources, "b"))
        var diagnostics = [Self.warning(.deprecated, "w1", at: a), Diagnostic(.unknownField, "e1", at: a)]
        diagnostics += (2...30).map { Diagnostic(.unknownField, "e\($0)", at: b) }
        diagnostics.append(Self.warning(.deprecated, "w2", at: b))
        #expect(Self.lines(diagnostics, sources) == (1...30).map { "e\($0)" } + ["w1", "w2"])
    }

    @Test func warningsOfOneKindAndFileFoldBehindTheThird() {
        var sources = SourceSet()
        let (a, b) = (Self.file(&sources, "a.graphql"), Self.file(&sources, "b\u{1B}.graphql"))
        var diagnostics: [Diagnostic] = []
        for number in 1...5 {
            diagnostics.append(Self.warning(.deprecated, "a\(number)", at: a))
            if number < 4 { diagnostics.append(Self.warning(.unusedFragment, "u\(number)", at: a)) }
        }
        diagnostics += (1...4).map { Self.warning(.deprecated, "b\($0)", at: b) }
        diagnostics += (1...4).map { Self.warning(.patternUnmatchedForTests, "n\($0)", at: .none) }
        #expect(
            Self.lines(diagnostics, sources) == [
                "a1", "u1", "a2", "u2", "a3",
                "- a.graphql: and 2 more of [deprecated] in this file; --all shows them",
                "u3", "b1", "b2", "b3",
                "- b\\u{1B}.graphql: and 1 more of [deprecated] in this file; --all shows it",
                "n1", "n2", "n3", "- and 1 more of [pattern-unmatched]; --all shows it",
            ])
        #expect(Self.lines(diagnostics, sources, isWhole: true) == diagnostics.map(\.message))
    }

    @Test func aKindThatIsEverywhereFoldsBehindTheTwelfth() {
        var sources = SourceSet()
        let files = (1...20).map { Self.file(&sources, "f\($0)") }
        let diagnostics = files.enumerated().flatMap { index, file in
            [
                Self.warning(.unusedFragment, "a\(index)", at: file),
                Self.warning(.unusedFragment, "b\(index)", at: file),
            ]
        }
        let shown = diagnostics.prefix(12).map(\.message)
        #expect(
            Self.lines(diagnostics, sources) == shown + [
                "- and 28 more of [unused-fragment] in 14 files; --all shows them"
            ])
        #expect(Self.lines(diagnostics, sources, isWhole: true) == diagnostics.map(\.message))
    }

    @Test func warningsOfTheSchemaAreOneLine() {
        var sources = SourceSet()
        let (schema, a) = (Self.file(&sources, "schema.graphql"), Self.file(&sources, "a.graphql"))
        let diagnostics = [
            Self.warning(.repeatedField, "s1", at: schema), Diagnostic(.unknownType, "e", at: schema),
            Self.warning(.interfaceMismatch, "s2", at: schema), Self.warning(.repeatedField, "s3", at: schema),
            Self.warning(.deprecated, "w", at: a),
        ]
        #expect(
            Self.lines(diagnostics, sources, schema: [schema.source]) == [
                "e", "w",
                "- the schema has 3 warnings: 2 of [repeated-field], 1 of [interface-mismatch]; --all shows them",
            ])
        #expect(Self.lines(diagnostics, sources).count == 5)
        #expect(
            Self.lines([diagnostics[0]], sources, schema: [schema.source])
                == ["- the schema has 1 warning: 1 of [repeated-field]; --all shows it"])
    }

    /// Each diagnostic is shown or counted once, in any distribution over files.
    @Test func everyDiagnosticIsShownOrCounted() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var sources = SourceSet()
            let files = (0..<Int.random(in: 1...8, using: &random)).map { Self.file(&sources, "f\($0)") } + [.none]
            let ids: [DiagnosticID] = [.deprecated, .unusedFragment, .conflictingFields]
            let diagnostics = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                Diagnostic(
                    ids[Int.random(in: 0..<3, using: &random)],
                    severity: Int.random(in: 0..<6, using: &random) == 0 ? .error : .warning,
                    "m",
                    at: files[Int.random(in: 0..<files.count, using: &random)]
                )
            }
            let schema: Set<SourceID> = Bool.random(using: &random) ? [files[0].source] : []
            let entries = DiagnosticDigest(diagnostics, in: sources, schema: schema).entries
            let count = entries.reduce(0) { count, entry in
                guard case .remainder(let line) = entry else { return count + 1 }
                let words = line.split(separator: " ")
                let number = words.firstIndex(of: "more") ?? words.firstIndex { $0.hasPrefix("warning") }
                return count + (number.flatMap { Int(words[$0 - 1]) } ?? 0)
            }
            #expect(count == diagnostics.count)
        }
    }
}

extension DiagnosticID {
    /// An id of a module that this target does not import.
    fileprivate static let patternUnmatchedForTests = DiagnosticID(rawValue: "pattern-unmatched")
}
