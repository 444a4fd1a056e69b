import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Validates executable documents by section 5 of the specification, all documents of a run together.
///
/// `ValidationRule.all` lists the rules by section. Most rules check one place, and a traversal of each definition
/// calls them. The traversal also records facts for the rules about all definitions: variables, cycles, unused
/// fragments, merging of fields. Each rule has a file with its name in `Rules`.
///
/// Only the name of a definition that the parser marked as broken counts. Its content is not checked further.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Validation
package enum Validator {
    /// Returns the mistakes in the documents, sorted by position, with one diagnostic for each mistake. The result does
    /// not depend on the number of workers.
    package static func validate(
        _ documents: [Document],
        _ schema: Schema,
        settings: ValidationSettings = ValidationSettings(),
        workers: Workers = .all
    ) -> [Diagnostic] {
        let traversal = Traversal(schema: schema, settings: settings)
        Spelling.withBudget {
            traversal.collect(documents)
            for case .collected(let step) in traversal.rules.collected { step(traversal) }
            traversal.visitDefinitions(workers)
            for case .visited(let step) in traversal.rules.visited { step(traversal) }
            traversal.findReachedFragments()
            traversal.followVariables()
            for case .followed(let step) in traversal.rules.followed { step(traversal) }
        }
        return traversal.diagnostics.sortedByPosition()
    }
}
