import BatonIR

/// A fragment after all transforms.
package struct CompiledFragment: Sendable {
    package let fragment: Fragment
    package let reader: SelectionPlan
    /// How it is fetched again; nil without `@refetchable`.
    package let refetch: RefetchMetadata?
}
