import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation

/// Validates the texts that are sent as a server would, so that a text that our validation refuses is never generated.
///
/// A fragment that several operations send is validated once. The cost is about that of validating the documents; the
/// benchmark `compile.` includes it.
struct SentTexts {
    /// The text of one sent definition, with the name and place of the definition in the documents.
    private struct Definition: Sendable {
        let name: String
        let span: Span
        let text: String
    }

    /// The mistakes in the texts of operations: at most one diagnostic for each definition, at its name.
    static func check(_ operations: [CompiledOperation], _ schema: Schema, _ workers: Workers) -> [Diagnostic] {
        var fragments: [FragmentText] = []
        var seen: Set<String> = []
        for operation in operations {
            for fragment in operation.text.fragments where seen.insert(fragment.name).inserted {
                fragments.append(fragment)
            }
        }
        let printed = workers.map(operations.filter { !$0.text.isEmpty }) { operations in
            let printer = OperationTextPrinter(schema: schema)
            return operations.map { operation in
                Definition(
                    name: operation.operation.name,
                    span: operation.operation.span,
                    text: printer.operation(operation.text)
                )
            }
        }
        let printedFragments = workers.map(fragments) { fragments in
            var printer = OperationTextPrinter(schema: schema)
            return fragments.map { fragment in
                Definition(
                    name: fragment.name,
                    span: fragment.span,
                    text: printer.fragment(fragment)
                )
            }
        }
        return check((printed + printedFragments).flatMap(\.self), schema.server ?? schema, workers)
    }

    private static func check(_ definitions: [Definition], _ schema: Schema, _ workers: Workers) -> [Diagnostic] {
        var sources = SourceSet()
        let files = definitions.map { sources.add(path: $0.name, text: $0.text) }
        let parsed = workers.map(files) { files in
            files.map { Parser.parseDocument($0, limits: limits) }
        }.flatMap(\.self)
        var found = parsed.flatMap(\.diagnostics)
        if !found.hasErrors { found = Validator.validate(parsed.map(\.document), schema, workers: workers) }
        let bySource = Dictionary(zip(files.map(\.id), definitions), uniquingKeysWith: { first, _ in first })
        var reported: Set<SourceID> = []
        return found.compactMap { mistake in
            guard mistake.severity == .error, !passedIDs.contains(mistake.id),
                reported.insert(mistake.span.source).inserted,
                let definition = bySource[mistake.span.source]
            else { return nil }
            return Diagnostic(
                .refusedText,
                "the server would refuse what is sent for '\(definition.name)': \(mistake.message)",
                at: definition.span,
                suggestion: mistake.id == .conflictingFields
                    ? "the compiler adds 'id', and puts values for the arguments of fragments; give one field another alias"
                    : "this is a defect of the compiler; please report it with the documents"
            )
        }
    }

    /// The limits of the parser. Flattening may nest texts deeper than the documents are.
    private static let limits = ParserLimits(nesting: ParserLimits.nestingChoices.upperBound, tokens: .max)

    /// The errors that only mean that a text was not validated to its end; and labels that occur twice, because copies
    /// of a fragment for different arguments have the same, as Relay sends them.
    private static let passedIDs: Set<DiagnosticID> = [
        .duplicateLabel, .fragmentLimit, .mergingLimit, .nestingLimit, .tokenLimit,
    ]
}
