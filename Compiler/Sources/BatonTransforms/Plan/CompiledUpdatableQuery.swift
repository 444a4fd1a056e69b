import BatonIR

/// An updatable query after all transforms.
package struct CompiledUpdatableQuery: Sendable {
    package let operation: Operation
    package let reader: SelectionPlan
}
