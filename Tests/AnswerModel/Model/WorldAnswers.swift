import Baton
import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTesting
import BatonTransforms
import BatonValidation
import Foundation

/// Executes documents in worlds of `BatonTesting`, for a comparison with another executor, and reads the answers into
/// stores.
package final class WorldAnswers {
    /// Worlds that answer in the newer and in the older format.
    private struct Worlds {
        let newer: BatonTesting.World
        let older: BatonTesting.World

        init(_ schema: String, _ seed: UInt64, _ limits: BatonTesting.World.Limits) throws {
            newer = try BatonTesting.World(schema: schema, seed: seed, limits: limits)
            older = try BatonTesting.World(schema: schema, seed: seed, limits: limits, incremental: .labelled)
        }
    }

    private let plain: Worlds
    /// Worlds in which some values are null.
    private let withNulls: Worlds
    private let seed: UInt64
    private let schema: Schema

    /// The schema has mistakes.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package init(schema text: String, seed: UInt64) throws {
        plain = try Worlds(text, seed, .init())
        withNulls = try Worlds(text, seed, .init(nulls: 10))
        self.seed = seed
        var compiler = Compiler(workers: .one)
        schema = compiler.loadSchema([compiler.addSource(path: "schema.graphql", text: text)], extensions: []).schema
    }

    /// Answers a request with `text`, `operation`, `variables` and `overrides`: the answer in one piece, the payloads
    /// of both formats, the table of the world, and what a store misses of the answer.
    ///
    /// With `isShort` the answer is the first of these, and that to the text `then` in the same world afterwards.
    /// Otherwise each is made in a world of its own, so that a mutation does not see its own effect.
    package func answer(_ request: Baton.JSONValue) throws -> Baton.JSONValue {
        let text = request["text"]?.stringValue ?? ""
        let name = request["operation"]?.stringValue
        let variables = request["variables"] ?? .object([])
        func fresh(_ base: BatonTesting.World) throws -> BatonTesting.World {
            let fresh = try base.another(seed: seed)
            if let overrides = request["overrides"] { try fresh.override(overrides) }
            return fresh
        }
        let isShort = request["isShort"] == true
        let worlds = isShort || text.utf8.count % 2 == 0 ? plain : withNulls
        let first = try fresh(worlds.newer)
        let whole = first.execute(text, operationName: name, variables: variables)
        if isShort {
            return ["whole": whole, "then": request["then"]?.stringValue.map { first.execute($0) } ?? .null]
        }
        let newer = try fresh(worlds.newer).executeInParts(text, operationName: name, variables: variables)
        let labelled = try fresh(worlds.older).executeInParts(text, operationName: name, variables: variables)
        let table = try fresh(worlds.newer).table(of: text, operationName: name, variables: variables)
        return [
            "whole": whole, "announced": .array(newer), "labelled": .array(labelled), "table": table ?? .null,
            "store": try stored(text, name, variables, worlds),
        ]
    }

    // MARK: - Stores

    /// The number of read fields, or a text with what is wrong. If the compiler refuses the document, a list of the
    /// names of its errors.
    private func stored(
        _ text: String, _ name: String?, _ variables: Baton.JSONValue, _ worlds: Worlds
    ) throws -> Baton.JSONValue {
        var compiler = Compiler(workers: .one)
        let source = compiler.addSource(path: "documents.graphql", text: text)
        let (documents, found) = compiler.parse([source])
        let compilation = compiler.compilation(schema: schema, documents: documents)
        let mistakes = (found + compilation.validate()).filter { $0.severity == .error }
        guard mistakes.isEmpty else { return .array(mistakes.map { .string($0.id.rawValue) }) }
        var pipeline = Pipeline(compilation.program())
        let fragments = pipeline.fragments()
        let operations = pipeline.operations()
        let refusals = pipeline.diagnostics.filter { $0.severity == .error }
        guard refusals.isEmpty, let compiled = operations.first(where: { name == nil || $0.operation.name == name })
        else { return .array(refusals.map { .string($0.id.rawValue) }) }
        do {
            return .int(try read(compiled, fragments, variables, worlds))
        } catch {
            // A warning says that objects whose id is not asked for are kept apart from themselves.
            let isWarned = pipeline.diagnostics.contains { $0.id == .missingIdentity }
            return isWarned ? [.string(DiagnosticID.missingIdentity.rawValue)] : .string("\(error)")
        }
    }

    private func read(
        _ compiled: CompiledOperation, _ fragments: [CompiledFragment], _ variables: Baton.JSONValue, _ worlds: Worlds
    ) throws -> Int {
        var plans = PlanPrinter(schema: schema, mappedScalars: [])
        var texts = OperationTextPrinter(schema: schema)
        var readers: [String: CompiledMeaning.Fragment] = [:]
        for fragment in fragments {
            let artifact = GeneratedCode.FragmentArtifact(
                name: fragment.fragment.name, typeCondition: fragment.fragment.type.name,
                reader: plans.print(fragment.reader, arguments: fragment.fragment.arguments))
            readers[fragment.fragment.name] = .init(artifact: artifact, plan: fragment.reader)
        }
        let text = texts.print(compiled.text)
        let kind = Baton.OperationKind(rawValue: compiled.operation.kind.rawValue) ?? .query
        let artifact = GeneratedCode.OperationArtifact(
            name: compiled.operation.name, kind: kind, text: text,
            normalization: plans.print(compiled.normalization, variables: compiled.operation.variables),
            reader: plans.print(compiled.reader, variables: compiled.operation.variables))
        let declared = Set(compiled.operation.variables.map(\.name))
        let given = (variables.objectValue ?? []).filter { declared.contains($0.name) }
        let sent = Dictionary(given.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        var count = 0
        for world in [worlds.newer, worlds.older] {
            let fresh = try world.another(seed: seed)
            let answer = fresh.executeInParts(
                text, operationName: compiled.operation.name, variables: .object(given))
            if let wrong = answer.first(where: { $0["errors"] != nil }) {
                throw Failure(description: "the text as sent has errors: \(wrong.text)")
            }
            var meaning = CompiledMeaning(schema: schema, fragments: readers)
            let shown = try meaning.data(of: artifact, compiled.reader, sent, answer: answer)
            guard meaning.paths.isEmpty else { throw Failure(description: "errors at \(meaning.paths.sorted())") }
            count += Self.count(shown)
        }
        return count
    }

    private static func count(_ value: Baton.JSONValue) -> Int {
        switch value {
        case .object(let members): members.reduce(0) { $0 + 1 + count($1.value) }
        case .array(let items): items.reduce(0) { $0 + count($1) }
        default: 0
        }
    }
}
