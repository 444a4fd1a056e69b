import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Judges executable documents by section 5 of the specification, all documents of a run together.
///
/// `ValidationRule.all` lists the rules by section. Most look at one place and are asked by one traversal of each
/// definition, which also notes what is judged afterwards over all definitions: variables, cycles, unused fragments,
/// merging of fields. Each rule has a file with its name in `Rules`.
///
/// Definitions that the parser marked as broken are known by name and not judged further.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Validation
package enum Validator {
    /// What is wrong with the documents, sorted by position; one diagnostic for one mistake. It does not depend on the
    /// number of workers.
    package static func validate(
        _ documents: [Document],
        _ schema: Schema,
        workers: Workers = .all
    ) -> [Diagnostic] {
        let traversal = Traversal(schema: schema)
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
