extension DocumentCheck {
    /// All checks: those for unsupported features, those for Relay's directives, and those for limits.
    static let all: [DocumentCheck] = refusals + rules + limits

    private static let refusals: [DocumentCheck] = [.typePolicies, .support, .identity, .content]

    private static let rules: [DocumentCheck] = [
        .connections, .edgeFragments, .nullability, .requiredPaths, .aliases, .fieldMutations, .updatables,
        .assignables, .uncaughtFields, .staticArguments, .refetchable, .noInline, .nullArguments, .masks, .increments,
        .providers,
    ]

    private static let limits: [DocumentCheck] = [.extent]
}
