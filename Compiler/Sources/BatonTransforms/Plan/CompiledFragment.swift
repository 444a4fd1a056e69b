import BatonIR

/// A fragment after all transforms.
package struct CompiledFragment: Sendable {
    package let fragment: Fragment
    package let reader: SelectionPlan
    /// The way to fetch the fragment again; nil without `@refetchable`.
    package let refetch: RefetchMetadata?
}
