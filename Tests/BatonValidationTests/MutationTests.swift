import BatonDiagnostics
import BatonSyntax
import FixtureSupport
import Foundation
import RandomCases
import Testing

/// Damaged texts must give diagnostics, never a crash. The damage is the same in every run. `Campaign` explains how to
/// run longer campaigns.
@Suite struct MutationTests {
    static let topics = FixtureFolder.frontEnd.flatMap(\.topics)
    static let damagePerFixture = 7
    static let damagePerCase = 1

    /// Inputs that once caused a crash. Each is tried as a document and as a schema.
    static let crashes = FixtureFolder.validation.url.appendingPathComponent("crashes")

    private static let everyText: [[UInt8]] = {
        let inputs = FixtureFolder.frontEnd.flatMap(\.fixtures).flatMap { (try? $0.inputs()) ?? [] }
        return inputs.flatMap(\.texts).map(\.bytes)
    }()

    @Test(arguments: topics)
    func damagedFixturesDoNoHarm(_ topic: String) throws {
        var damage = Campaign.damage(topic, splicing: Self.everyText)
        for fixture in Fixture.all(in: topic) {
            for input in try fixture.inputs() where !input.texts.isEmpty {
                let rounds = fixture.holdsCases ? Self.damagePerCase : Self.damagePerFixture
                for _ in 0..<RandomCases.count(rounds) {
                    let chosen = damage.random.below(input.texts.count)
                    var texts = input.texts
                    let text = texts[chosen]
                    texts[chosen] = Fixture.Text(name: text.name, bytes: damage.damage(text.bytes))
                    try Self.check(texts, chosen, part: topic)
                }
            }
        }
    }

    @Test func noiseDoesNoHarm() throws {
        var damage = Campaign.damage("noise")
        for round in 0..<RandomCases.count(150) {
            let name = round % 2 == 0 ? "document.graphql" : "schema.graphql"
            try Self.check([Fixture.Text(name: name, bytes: damage.noise(upTo: 100))], 0, part: "noise")
        }
    }

    @Test(arguments: try FileManager.default.contentsOfDirectory(at: crashes, includingPropertiesForKeys: nil))
    func inputsThatCrashedOnceDoNoHarm(_ file: URL) throws {
        let bytes = Array(try Data(contentsOf: file))
        for name in ["document.graphql", "schema.graphql"] {
            try Self.check([Fixture.Text(name: name, bytes: bytes)], 0, part: "crashes")
        }
    }

    /// Checks rules that every program meets, for a program with one damaged text.
    private static func check(_ texts: [Fixture.Text], _ chosen: Int, part: String) throws {
        try Campaign.note(part, texts)
        let bytes = texts[chosen].bytes
        var defects: [String] = []
        let isSlow = try Campaign.isSlow {
            let (diagnostics, sources) = try ValidationFixtureTests.validate(texts)
            defects += Campaign.defects(of: diagnostics, in: sources)
            if try ValidationFixtureTests.validate(texts).diagnostics != diagnostics {
                defects.append("not the same twice")
            }
            defects += syntaxDefects(of: bytes)
        }
        if isSlow { defects.append("slow") }
        #expect(
            defects == [], "\(texts.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n#%%\n"))")
    }

    private static func syntaxDefects(of bytes: [UInt8]) -> [String] {
        var sources = SourceSet()
        let source = sources.add(path: "a.graphql", bytes: bytes)
        let (document, diagnostics) = Parser.parseDocument(source)
        var defects = Campaign.defects(of: diagnostics, in: sources)
        var lexer = Lexer(source: source)
        var end: UInt32 = 0
        while true {
            let token = lexer.next()
            if token.start < end || token.end < token.start { defects.append("\(token) overlaps another") }
            end = token.end
            if token.kind == .string || token.kind == .blockString { _ = lexer.stringValue(of: token) }
            if token.kind == .endOfFile { break }
        }
        if Int(end) != bytes.count { defects.append("the tokens end at \(end)") }
        if !lexer.diagnostics.isEmpty, diagnostics.isEmpty { defects.append("the parser forgets what the lexer says") }
        let brokenCount = document.definitions.count(where: \.isBroken)
        if diagnostics.isEmpty {
            if brokenCount > 0 || document.isIncomplete { defects.append("something is missing, but nothing is wrong") }
            for style in [Printer.Style.pretty, .compact] {
                let printed = Printer.print(document, style)
                let again = Parser.parseDocument(
                    SourceFile(id: .predeclared, path: "", bytes: Array(printed.utf8))
                )
                if again.document != document { defects.append("printed as\n\(printed)") }
                if Printer.print(again.document, style) != printed {
                    defects.append("printed in two ways:\n\(printed)")
                }
            }
        }
        return defects
    }
}

extension Definition {
    fileprivate var isBroken: Bool {
        switch self {
        case .operation(let definition): definition.isBroken
        case .fragment(let definition): definition.isBroken
        case .schema(let definition): definition.isBroken
        case .type(let definition): definition.isBroken
        case .directive(let definition): definition.isBroken
        }
    }
}
