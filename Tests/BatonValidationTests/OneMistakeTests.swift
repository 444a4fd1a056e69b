import BatonDiagnostics
import BatonSyntax
import FixtureSupport
import Testing

/// One mistake gives one diagnostic: a misspelled name is not also unused, missing, or in conflict somewhere else.
@Suite struct OneMistakeTests {
    private static let fixtures = FixtureFolder.validation.fixtures.filter {
        !$0.holdsCases && !$0.isInvalid
    }

    /// Every name in every valid fixture is misspelled once, alone.
    @Test func aMisspelledNameGivesOneDiagnostic() throws {
        var mistakes = 0
        for fixture in Self.fixtures {
            let texts = try fixture.inputs().flatMap(\.texts)
            guard try ValidationFixtureTests.validate(texts).diagnostics.isEmpty else { continue }
            for (index, text) in texts.enumerated() where text.name.hasSuffix(".graphql") {
                // A schema with a mistake has tests of its own.
                if text.name.hasPrefix("schema") || text.name.hasPrefix("extension") { continue }
                for name in Self.names(in: text.bytes) {
                    // If the keyword of a definition is lost, the other documents miss the definition and report that.
                    if texts.count > 1, text.bytes[name].elementsEqual("fragment".utf8) { continue }
                    var changed = texts
                    let bytes = Self.misspell(name, in: text.bytes)
                    changed[index] = Fixture.Text(name: text.name, bytes: bytes)
                    let (diagnostics, sources) = try ValidationFixtureTests.validate(changed)
                    if diagnostics.count > 1 {
                        var renderer = TextRenderer(sources: sources)
                        Issue.record("\(fixture): \(renderer.render(diagnostics))")
                    }
                    mistakes += diagnostics.count
                }
            }
        }
        #expect(mistakes > 1_000)
    }

    private static func names(in bytes: [UInt8]) -> [Range<Int>] {
        var lexer = Lexer(source: SourceFile(id: .predeclared, path: "", bytes: bytes))
        var names: [Range<Int>] = []
        while true {
            let token = lexer.next()
            if token.kind == .endOfFile { return names }
            if token.kind == .name { names.append(Int(token.start)..<Int(token.end)) }
        }
    }

    /// Swaps the last two letters. Adds a letter if the result would be another short name, or the same name.
    private static func misspell(_ name: Range<Int>, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let last = name.upperBound - 1
        if name.count < 4 || bytes[last] == bytes[last - 1] {
            bytes.insert(UInt8(ascii: "z"), at: name.upperBound)
        } else {
            bytes.swapAt(last, last - 1)
        }
        return bytes
    }
}
