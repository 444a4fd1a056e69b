extension DocumentCheck {
    /// All checks: of what is refused, of the rules of Relay's directives, and of limits.
    static let all: [DocumentCheck] = refusals + rules + limits

    private static let refusals: [DocumentCheck] = [.typePolicies, .support, .identity, .content]

    private static let rules: [DocumentCheck] = [
        .connections, .edgeFragments, .nullability, .requiredPaths, .aliases, .fieldMutations, .updatables,
        .assignables, .uncaughtFields, .staticArguments, .refetchable, .noInline, .nullArguments, .masks, .increments,
        .providers,
    ]

    private static let limits: [DocumentCheck] = [.extent]
}
