import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let allVariableUsagesAreAllowed = ValidationRule(
        .variables, "AllVariableUsagesAreAllowed",
        .variableUse { $0.checkUsageIsAllowed($1) })
}

/// A variable, by the place of its definition, and a type that it does not fit.
struct UnfitVariable: Hashable {
    let definition: Span
    let expected: TypeReference
}

extension Traversal {
    /// Checks that the type of a variable fits the place of its use. A default value makes a nullable variable fit a
    /// non-null place.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed
    func checkUsageIsAllowed(_ use: VariableUse) {
        guard let variable = use.variable, let type = variable.type else { return }
        checkUsageIsAllowed(use.usage, type: type, defaultValue: variable.defaultValue, definedAt: variable.span)
    }

    /// Checks that a type and a default value fit the place of a variable's use. A field of a oneOf input object cannot
    /// be null, although its type is nullable.
    func checkUsageIsAllowed(_ usage: VariableUsage, type: TypeReference, defaultValue: Value?, definedAt: Span) {
        guard let expected = usage.type else { return }
        let hasDefault = usage.hasDefault || defaultValue.map { !$0.isNull } ?? false
        let name = usage.variable.name
        if !Self.isAllowed(type, where: expected, hasDefault: hasDefault) {
            if usage.isUnchecked { return warn(of: usage, type, expected, definedAt) }
            reportUsage(
                .incompatibleVariable,
                "variable '$\(name)' of type '\(schema.describe(type))' is used where '\(schema.describe(expected))' is expected",
                at: usage.variable.span,
                UnfitVariable(definition: definedAt, expected: expected)
            )
        } else if usage.isOneOfField, !type.isNonNull, !hasDefault {
            reportUsage(
                .incompatibleVariable,
                "variable '$\(name)' of type '\(schema.describe(type))' may be null, which a oneOf field cannot be",
                at: usage.variable.span,
                UnfitVariable(definition: definedAt, expected: expected)
            )
        }
    }

    /// Reports a variable that does not fit. A use is reported once, with notes for the operations whose variables do
    /// not fit. A variable is reported at its first use, with notes for its other uses of the same type.
    private func reportUsage(_ id: DiagnosticID, _ message: String, at span: Span, _ variable: UnfitVariable) {
        if let known = unfitVariables[variable] {
            let isKnown = diagnostics[known].span == span || diagnostics[known].notes.count >= 5
            if !isKnown { diagnostics[known].notes.append(.init("it does not fit here, too", at: span)) }
            return
        }
        let note = Diagnostic.Note("defined here", at: variable.definition)
        let known = unfitUsages[span, default: []].first { diagnostics[$0].message == message }
        if let known {
            if diagnostics[known].notes.count < 5 { diagnostics[known].notes.append(note) }
            unfitVariables[variable] = known
        } else {
            unfitVariables[variable] = diagnostics.count
            unfitUsages[span, default: []].append(diagnostics.count)
            report(id, message, at: span, notes: [note])
        }
    }

    /// Warns of a variable that `@uncheckedArguments_DEPRECATED` passes to an argument of another type.
    private func warn(
        of usage: VariableUsage, _ type: TypeReference, _ expected: TypeReference, _ definedAt: Span
    ) {
        if unfitUsages[usage.variable.span] != nil { return }
        unfitUsages[usage.variable.span] = [diagnostics.count]
        let (given, needed) = (schema.describe(type), schema.describe(expected))
        report(
            .incompatibleVariable,
            severity: .warning,
            "variable '$\(usage.variable.name)' of type '\(given)' is passed where '\(needed)' is expected",
            at: usage.variable.span,
            notes: [.init("defined here", at: definedAt)]
        )
    }

    /// Whether a variable of a type may stand where another type is expected. `hasDefault` is true if the variable or
    /// the place has a default value.
    ///
    /// Specification: https://spec.graphql.org/September2025/#IsVariableUsageAllowed()
    static func isAllowed(_ type: TypeReference, where expected: TypeReference, hasDefault: Bool) -> Bool {
        expected.isNonNull && !type.isNonNull
            ? hasDefault && isCompatible(type, expected.nullable)
            : isCompatible(type, expected)
    }

    /// Specification: https://spec.graphql.org/September2025/#AreTypesCompatible()
    private static func isCompatible(_ type: TypeReference, _ expected: TypeReference) -> Bool {
        switch (type.shape, expected.shape) {
        case (.nonNull(let inner), .nonNull(let expectedInner)): isCompatible(inner, expectedInner)
        case (.nonNull(let inner), _): isCompatible(inner, expected)
        case (.list(let item), .list(let expectedItem)): isCompatible(item, expectedItem)
        case (.named(let name), .named(let expectedName)): name == expectedName
        default: false
        }
    }
}
