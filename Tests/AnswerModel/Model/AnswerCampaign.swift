import Baton
import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation
import PlanModel
import RandomCases

/// Compiles random documents, has their texts executed, and compares the data that readers show with the meaning of the
/// documents.
package struct AnswerCampaign {
    /// The counts of a campaign.
    package struct Tally: Sendable {
        package var operations = 0
        package var documents = 0
        package var invalid = 0
        /// Operations whose documents do not determine the shown data, because errors of other fields remove some of
        /// it.
        package var ambiguous = 0
        /// Fields that were shown, references included.
        package var fields = 0
        /// Errors in place of data.
        package var errors = 0
        /// Payloads after the first payload of a response.
        package var parts = 0
        package var failure: Failure?

        package init() {}
    }

    /// A document with a response that readers show wrongly.
    package struct Failure: Sendable, CustomStringConvertible {
        package let seed: UInt64
        package let schema: String
        package let documents: String
        package let message: String

        package var description: String {
            "seed \(seed): \(message)\n# schema.graphql\n\(schema)# documents.graphql\n\(documents)"
        }
    }

    /// The counts of one document, which are added to those of the campaign.
    private struct Passed {
        var operations = 0
        var ambiguous = 0
        var fields = 0
        var errors = 0
        var parts = 0
    }

    private enum Outcome {
        case passed(Passed)
        case invalid
        case failed(String)
    }

    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private static let documentsPerSchema: UInt64 = 20

    private let server: any AnswerServer
    private let sdl: String
    private let schema: Schema
    private let world: World
    private let seed: UInt64

    /// Compares the documents of one seed; the documents depend only on the seed.
    package static func run(seed: UInt64, _ server: some AnswerServer, into tally: inout Tally) {
        guard let (sdl, schema) = schema(for: seed / documentsPerSchema),
            let documents = AnswerDocuments(SeededGenerator(seed: seed &+ 7_000_003), schema)
        else {
            tally.invalid += 1
            return
        }
        let campaign = AnswerCampaign(
            server: server, sdl: sdl, schema: schema, world: World(schema: schema, hasErrors: documents.hasErrors),
            seed: seed)
        switch campaign.compare(documents.text) {
        case .passed(let passed):
            tally.operations += passed.operations
            tally.ambiguous += passed.ambiguous
            tally.fields += passed.fields
            tally.errors += passed.errors
            tally.parts += passed.parts
            tally.documents += 1
        case .invalid: tally.invalid += 1
        case .failed(let message):
            var (text, last) = (documents.text, message)
            DocumentCut.shrink(&text) { smaller in
                guard case .failed(let message) = campaign.compare(smaller) else { return false }
                last = message
                return true
            }
            tally.failure = Failure(seed: seed, schema: sdl, documents: text, message: last)
        }
    }

    /// The first valid schema for a number.
    private static func schema(for number: UInt64) -> (sdl: String, schema: Schema)? {
        for attempt in 0..<20 as Range<UInt64> {
            let made = AnswerSchema(SeededGenerator(seed: number &* 20 &+ attempt))
            var compiler = Compiler(workers: .one)
            let file = compiler.addSource(path: "schema.graphql", text: made.text)
            let extensions = compiler.addSource(path: "extensions.graphql", text: made.extensions)
            let loaded = compiler.loadSchema([file], extensions: made.extensions.isEmpty ? [] : [extensions])
            if loaded.diagnostics.isEmpty { return (made.text, loaded.schema) }
        }
        return nil
    }

    private func compare(_ text: String) -> Outcome {
        var compiler = Compiler(workers: .one)
        let source = compiler.addSource(path: "documents.graphql", text: text)
        let (documents, found) = compiler.parse([source])
        let compilation = compiler.compilation(schema: schema, documents: documents)
        guard !found.hasErrors, !compilation.validate().hasErrors, let document = documents.first?.document else {
            return .invalid
        }
        var pipeline = Pipeline(compilation.program())
        let fragments = pipeline.fragments()
        let operations = pipeline.operations()
        guard !pipeline.diagnostics.hasErrors else { return .invalid }
        do {
            return try compare(document, operations, fragments).map(Outcome.passed) ?? .invalid
        } catch {
            return .failed("\(error)")
        }
    }

    /// Compares the shown data, and returns the counts. Nil if a server would refuse a text, which the compiler
    /// reports.
    private func compare(
        _ document: Document, _ operations: [CompiledOperation], _ fragments: [CompiledFragment]
    ) throws -> Passed? {
        var plans = PlanPrinter(schema: schema, mappedScalars: [])
        var texts = OperationTextPrinter(schema: schema)
        var readers: [String: CompiledMeaning.Fragment] = [:]
        for compiled in fragments {
            let fragment = compiled.fragment
            let artifact = GeneratedCode.FragmentArtifact(
                name: fragment.name, typeCondition: fragment.type.name,
                reader: plans.print(compiled.reader, arguments: fragment.arguments))
            readers[fragment.name] = .init(artifact: artifact, plan: compiled.reader)
        }
        var random = SeededGenerator(seed: seed)
        var passed = Passed()
        for (operation, compiled) in zip(document.operations, operations) {
            let text = texts.print(compiled.text)
            guard isValid(text) else { return nil }
            let artifact = GeneratedCode.OperationArtifact(
                name: compiled.operation.name, kind: .query, text: text,
                normalization: plans.print(compiled.normalization, variables: compiled.operation.variables),
                reader: plans.print(compiled.reader, variables: compiled.operation.variables))
            let sent = values(for: operation, &random)
            let source = SourceDocument(document, operation, sent, in: world)
            var meaning = SourceMeaning(source)
            let meant: Baton.JSONValue
            do {
                meant = try meaning.data(of: operation)
            } catch {
                passed.ambiguous += 1
                continue
            }
            let answer = try self.answer(to: text, sent)
            var compiledMeaning = CompiledMeaning(schema: schema, fragments: readers)
            let variables = Baton.JSONValue.object(sent.map { .init($0.key, $0.value) })
            let name = "\(compiled.operation.name) with \(variables.text)"
            let shown: Baton.JSONValue
            do {
                shown = try compiledMeaning.data(of: artifact, compiled.reader, sent, answer: answer)
            } catch {
                throw Mismatch(
                    description: "\(name): \(error)\n  text \(text)\n  answer \(Baton.JSONValue.array(answer).text)")
            }
            let others = compiledMeaning.paths.subtracting(meaning.paths)
            guard others.isEmpty, shown == meant || Self.shown(shown) == Self.shown(meant) else {
                throw Mismatch(
                    description: """
                        \(name) shows
                          \(shown.text)
                        and means
                          \(meant.text)
                          errors without a cause: \(others.sorted())
                          text \(text)
                          answer \(Baton.JSONValue.array(answer).text)
                        """)
            }
            passed.operations += 1
            passed.parts += answer.count - 1
            passed.fields += Self.count(shown)
            passed.errors += compiledMeaning.paths.count
        }
        return passed
    }

    private func answer(to text: String, _ sent: [String: Baton.JSONValue]) throws -> [Baton.JSONValue] {
        let asked = Set(sentVariables(of: text))
        let variables = sent.filter { asked.contains($0.key) }.sorted { $0.key < $1.key }
        let answer = try server.answer(
            to: text, .object(variables.map { .init($0.key, $0.value) }), in: world, sdl: sdl)
        guard case .object(let members)? = answer.first, members.contains(where: { $0.name == "data" }) else {
            throw Mismatch(description: "the server refuses \(text): \(Baton.JSONValue.array(answer).text)")
        }
        return answer
    }

    private func sentVariables(of text: String) -> [String] {
        var sources = SourceSet()
        let document = Parser.parseDocument(sources.add(path: "text", text: text)).document
        return document.operations.flatMap { $0.variables.map(\.name.text) }
    }

    private func isValid(_ text: String) -> Bool {
        var sources = SourceSet()
        let (document, found) = Parser.parseDocument(sources.add(path: "text", text: text))
        return !found.hasErrors && !Validator.validate([document], schema, workers: .one).hasErrors
    }

    /// Random values for the variables of an operation. Some nullable variables are null or left out.
    private func values(
        for operation: OperationDefinition, _ random: inout SeededGenerator
    ) -> [String: Baton.JSONValue] {
        var values: [String: Baton.JSONValue] = [:]
        for variable in operation.variables {
            let name = variable.name.text
            if name == "c" || !["a", "b"].contains(name), random.chance(30) { continue }
            switch name {
            case "a", "b", "c": values[name] = .bool(random.chance(50))
            case "n": values[name] = random.pick([.int(1), .int(3), .null])
            case "s": values[name] = random.pick([.string("x"), .string("z"), .null])
            case "e": values[name] = random.pick([.string("A"), .string("B"), .null])
            default: values[name] = random.pick([["n": 1], ["s": "y", "f": ["n": 2]], .object([]), .null])
            }
        }
        return values
    }

    /// The data without objects that show nothing. Relay does not ask for an object if constant conditions leave
    /// nothing to select below it.
    private static func shown(_ value: Baton.JSONValue) -> Baton.JSONValue? {
        switch value {
        case .null: return nil
        case .object(let members):
            let inner = members.compactMap { member -> Baton.JSONValue.Member? in
                guard let value = shown(member.value) else { return nil }
                // Spreads whose data have become equal are merged.
                guard member.name.hasPrefix("..."), case .array(let data) = value else {
                    return Baton.JSONValue.Member(member.name, value)
                }
                let distinct = Set(data).subtracting([.null]).sorted { $0.text < $1.text }
                return Baton.JSONValue.Member(member.name, .array(distinct))
            }
            return inner.isEmpty ? nil : .object(inner)
        case .array(let items):
            let inner = items.map(shown)
            return inner.allSatisfy { $0 == nil } ? nil : .array(inner.map { $0 ?? .null })
        default: return value
        }
    }

    private static func count(_ value: Baton.JSONValue) -> Int {
        switch value {
        case .object(let members): members.reduce(0) { $0 + 1 + count($1.value) }
        case .array(let items): items.reduce(0) { $0 + count($1) }
        default: 0
        }
    }
}
