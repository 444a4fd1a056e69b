import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Judges executable documents by section 5 of the specification, all documents of a run together.
///
/// Most rules look at one place and are called by one traversal of each definition, which also notes what is judged
/// afterwards over all definitions: variables, cycles, unused fragments, merging of fields. Each rule has a file with
/// its name in `Rules`.
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
            traversal.checkOperationNameUniqueness()
            traversal.checkFragmentNameUniqueness()
            traversal.visitDefinitions(workers)
            traversal.checkFragmentCycles()
            traversal.checkFragmentsUsed()
            traversal.checkVariables()
            traversal.checkFragmentArgumentsUsed()
            traversal.checkSubscriptionRoots()
            traversal.checkDeferAndStreamPlacement()
            traversal.checkLabelUniqueness()
            traversal.reportUnknownSpreads()
            traversal.reportUnknownFragmentArguments()
        }
        let conflicts = FieldSelectionMerging.check(traversal.definitions, schema, undefined: traversal.undefinedUses)
        return (traversal.diagnostics + conflicts).sortedByPosition()
    }
}
