import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import FixtureSupport
import Foundation
import Testing

/// Damaged texts must give diagnostics, never a crash; the damage is the same in every run.
@Suite struct MutationTests {
    static let topics = SyntaxFixtureTests.topics + ValidationFixtureTests.topics
    static let mutationsPerFixture = 60
    static let mutationsPerCase = 6

    @Test(arguments: topics)
    func damagedFixturesNeverCrash(_ topic: String) throws {
        for fixture in Fixture.all(in: topic) {
            var random = SplitMix(seed: fixture.name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
            for input in try fixture.inputs() {
                for round in 0..<(fixture.holdsCases ? Self.mutationsPerCase : Self.mutationsPerFixture) {
                    try check(input.texts, round, &random)
                }
            }
        }
    }

    private func check(_ texts: [Fixture.Text], _ round: Int, _ random: inout SplitMix) throws {
        guard !texts.isEmpty else { return }
        let chosen = Int(random.next(below: texts.count))
        var damaged = texts
        damaged[chosen] = Fixture.Text(
            name: texts[chosen].name,
            bytes: Self.damage(texts[chosen].bytes, round, &random)
        )
        let (diagnostics, sources) = try ValidationFixtureTests.validate(damaged)
        // Every position can be shown, and what parses without errors can be printed and parsed again.
        var renderer = TextRenderer(sources: sources)
        #expect(diagnostics.isEmpty == renderer.render(diagnostics).isEmpty)
        let parsed = Parser.parseDocument(SourceFile(id: .predeclared, path: "", bytes: damaged[chosen].bytes))
        if parsed.diagnostics.isEmpty {
            let printed = Printer.print(parsed.document, round % 2 == 0 ? .compact : .pretty)
            let again = Parser.parseDocument(SourceFile(id: .predeclared, path: "", bytes: Array(printed.utf8)))
            let text = String(decoding: damaged[chosen].bytes, as: UTF8.self)
            #expect(again.document == parsed.document, "\(text)\nprinted as\n\(printed)")
        }
    }

    @Test func randomBytesNeverCrash() throws {
        var random = SplitMix(seed: 42)
        for _ in 0..<200 {
            let count = Int(random.next(below: 200))
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            _ = try ValidationFixtureTests.validate([Fixture.Text(name: "document.graphql", bytes: bytes)])
        }
    }

    /// Deletes, repeats, swaps or cuts, at bytes in even rounds and at tokens in odd ones.
    private static func damage(_ bytes: [UInt8], _ round: Int, _ random: inout SplitMix) -> [UInt8] {
        var pieces: [ArraySlice<UInt8>]
        if round % 2 == 0 {
            pieces = bytes.indices.map { bytes[$0...$0] }
        } else {
            var lexer = Lexer(source: SourceFile(id: .predeclared, path: "", bytes: bytes))
            pieces = []
            var end = 0
            while true {
                let token = lexer.next()
                if token.kind == .endOfFile { break }
                pieces.append(bytes[end..<Int(token.end)])
                end = Int(token.end)
            }
            pieces.append(bytes[end...])
        }
        for _ in 0...random.next(below: 3) where !pieces.isEmpty {
            let index = Int(random.next(below: pieces.count))
            switch random.next(below: 5) {
            case 0: pieces.remove(at: index)
            case 1: pieces.insert(pieces[index], at: index)
            case 2: pieces.swapAt(index, Int(random.next(below: pieces.count)))
            case 3: pieces.removeSubrange(index...)
            default: pieces[index] = [UInt8(truncatingIfNeeded: random.next())]
            }
        }
        return Array(pieces.joined())
    }
}

/// A small generator whose numbers depend on the seed alone.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func next(below bound: Int) -> UInt64 {
        bound > 0 ? next() % UInt64(bound) : 0
    }
}
