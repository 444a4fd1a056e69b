import BatonIR

extension Operation {
    /// Whether the operation is an updatable query, which is never sent.
    package var isUpdatable: Bool { directives.named("updatable") != nil }
}

extension Fragment {
    /// Whether updates write the fragment's fields.
    package var isUpdatable: Bool { directives.named("updatable") != nil }
}
