import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import RandomCases

/// Compares random schemas and documents with their naive interpretation.
package struct PlanCampaign {
    /// The counts of a campaign.
    package struct Tally: Sendable {
        package var operations = 0
        package var documents = 0
        package var invalid = 0
        package var failure: Failure?

        package init() {}
    }

    /// A document whose compilation is wrong.
    package struct Failure: Sendable, CustomStringConvertible {
        package let seed: UInt64
        package let schema: String
        package let extensions: String?
        package let documents: String
        package let message: String

        package var description: String {
            "seed \(seed): \(message)\n# schema.graphql\n\(schema)"
                + (extensions.map { "# extensions.graphql\n\($0)" } ?? "") + "# documents.graphql\n\(documents)"
        }
    }

    private static let documentsPerSchema: UInt64 = 20

    /// Compares the documents of one seed; the documents depend only on the seed.
    package static func run(seed: UInt64, into tally: inout Tally) {
        guard let (texts, schema) = schema(for: seed / documentsPerSchema) else {
            tally.invalid += 1
            return
        }
        guard let documents = RandomDocuments(SeededGenerator(seed: seed &+ 1_000_003), schema) else { return }
        switch PlanComparison.run(schema, documents.text, seed: seed) {
        case .passed(let operations):
            tally.operations += operations
            tally.documents += 1
        case .invalid: tally.invalid += 1
        case .failed(let message):
            // Documents get smaller as long as they stay valid and their compilation stays wrong.
            var (text, last) = (documents.text, message)
            DocumentCut.shrink(&text) { smaller in
                guard case .failed(let message) = PlanComparison.run(schema, smaller, seed: seed) else { return false }
                last = message
                return true
            }
            tally.failure = Failure(
                seed: seed, schema: texts.text, extensions: texts.extensions, documents: text, message: last)
        }
    }

    /// The first valid schema for a number.
    private static func schema(for number: UInt64) -> (texts: RandomSchema, schema: Schema)? {
        for attempt in 0..<20 as Range<UInt64> {
            let texts = RandomSchema(SeededGenerator(seed: number &* 20 &+ attempt))
            var compiler = Compiler(workers: .one)
            let files = [compiler.addSource(path: "schema.graphql", text: texts.text)]
            let extensions = texts.extensions.map { [compiler.addSource(path: "extensions.graphql", text: $0)] } ?? []
            let loaded = compiler.loadSchema(files, extensions: extensions)
            if loaded.diagnostics.isEmpty { return (texts, loaded.schema) }
        }
        return nil
    }
}
