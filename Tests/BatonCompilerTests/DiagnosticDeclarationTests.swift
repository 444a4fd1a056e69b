import BatonCompiler
import BatonDiagnostics
import Foundation
import Testing

/// The declarations of diagnostics in the sources of the stages.
struct DiagnosticDeclarationTests {
    private struct Declaration: Sendable {
        let file: String
        let member: String
        let id: String
    }

    private static let declarations = Result {
        let sources = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Compiler/Sources")
        let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            let pattern = /(?:(\w+) = )?DiagnosticID\(rawValue: "([^"]*)"\)/
            return text.matches(of: pattern).map { match in
                Declaration(file: path, member: String(match.1 ?? ""), id: String(match.2))
            }
        }
    }

    @Test func everyStageDeclaresItsDiagnosticsInTheFileOfItsName() throws {
        for declaration in try Self.declarations.get() {
            let module = declaration.file.prefix { $0 != "/" }
            let stage = module.dropFirst("Baton".count)
            #expect(declaration.file == "\(module)/DiagnosticID+\(stage).swift", "\(declaration.id)")
        }
    }

    @Test func everyDiagnosticIsDeclaredOnceAndListed() throws {
        let declared = try Self.declarations.get().map(\.id)
        #expect(declared.count > 100)
        #expect(Set(declared).count == declared.count)
        #expect(declared.sorted() == DiagnosticID.all.map(\.rawValue))
    }

    /// `unknownField` is `unknown-field`, so that each of the two names leads to the other.
    @Test func theMemberIsTheIDInCamelCase() throws {
        for declaration in try Self.declarations.get() {
            let words = declaration.id.split(separator: "-")
            let member = words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
            #expect(declaration.member.lowercased() == member.lowercased())
        }
    }
}
