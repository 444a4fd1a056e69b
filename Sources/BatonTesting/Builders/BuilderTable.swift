public import Baton
import BatonSchema
import BatonSyntax

extension GeneratedCode {
    /// What builders know of the schema: the types and fields that the documents use.
    ///
    /// The compiler writes the text. It is read when the first builder needs it, and documents are checked once.
    ///
    /// State: what was read, guarded by a lock of its own, a leaf.
    public final class BuilderTable: Sendable {
        private let text: String
        private let loaded = Guarded<Loaded?>(nil)
        private let documents = Guarded<[String: PreparedDocument]>([:])

        struct Loaded: Sendable {
            let world: WorldData
            let directives: [String: SchemaDirective]
        }

        /// Keeps the text, in the schema definition language.
        public init(_ text: String) { self.text = text }

        /// A world over the table that nobody changes.
        func load() throws(BuilderError) -> Loaded {
            if let known = loaded.withLock({ $0 }) { return known }
            let schema: Schema
            do throws(LocalSchemaError) {
                schema = try LocalSchema.load(text)
            } catch {
                throw BuilderError(["the generated table of the schema is wrong"] + error.messages)
            }
            let world = WorldData(WorldSchema(schema), seed: 1, limits: World.Limits(), scalars: [:])
            let made = Loaded(world: world, directives: IncrementalDirectives.definitions(for: schema))
            return loaded.withLock { state in
                if let first = state { return first }
                state = made
                return made
            }
        }

        /// A document that was parsed and checked.
        func document(_ text: String, _ table: Loaded) throws(BuilderError) -> PreparedDocument {
            if let known = documents.withLock({ $0[text] }) { return known }
            let prepared = PreparedDocument(text: text, schema: table.world.schema, added: table.directives)
            guard prepared.problems.isEmpty else {
                let reasons = prepared.problems.map(\.message)
                throw BuilderError(reasons.map { "the generated table does not fit the document: \($0)" })
            }
            documents.withLock { $0[text] = prepared }
            return prepared
        }
    }
}
