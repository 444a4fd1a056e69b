import BatonCodegen
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation

/// Validates the texts of requests as a server would, so that no text is generated that our validation refuses.
///
/// What is found here is about the texts, which no other stage has seen. Nobody wrote the texts, so a person cannot
/// look at a place in them: each mistake is said again in words about the documents, at the field that is the reason.
/// The documents passed validation before, so nothing that was found in them is removed or said twice.
///
/// A fragment that several operations send is validated once. The cost is about that of validating the documents; the
/// benchmark `compile.` includes it.
struct SentTexts {
    /// The text of one definition of the documents.
    private enum Definition: Sendable {
        case operation(OperationText)
        case fragment(FragmentText)

        var name: String {
            switch self {
            case .operation(let text): text.operation.name
            case .fragment(let text): text.writtenName
            }
        }

        /// The place of the definition's name in the documents.
        var span: Span {
            switch self {
            case .operation(let text): text.operation.span
            case .fragment(let text): text.span
            }
        }

        /// The place of the spread for whose arguments a fragment is copied; none for any other definition.
        var copiedAt: Span {
            if case .fragment(let text) = self { text.copiedAt } else { .none }
        }

        func place(at offset: Int, _ printer: OperationTextPrinter) -> Span? {
            switch self {
            case .operation(let text): printer.placed(text).place(at: offset)
            case .fragment(let text): printer.placed(text).place(at: offset)
            }
        }
    }

    /// The mistakes that are reported.
    enum Scope {
        case all
        /// The conflicts between two fields that are both in the documents.
        case conflicts
    }

    private let schema: Schema
    private let definitions: [SourceID: Definition]
    private let scope: Scope

    /// The mistakes in the texts of operations: at most one diagnostic for each definition. The place of a diagnostic
    /// is the field that causes the mistake, or the name of the definition.
    static func check(
        _ operations: [OperationText], _ schema: Schema, _ workers: Workers, reporting scope: Scope = .all
    ) -> [Diagnostic] {
        var fragments: [FragmentText] = []
        var seen: Set<String> = []
        for operation in operations {
            for fragment in operation.fragments where seen.insert(fragment.name).inserted {
                fragments.append(fragment)
            }
        }
        let definitions =
            operations.filter { !$0.isEmpty }.map(Definition.operation) + fragments.map(Definition.fragment)
        let printed = workers.map(definitions) { definitions in
            var printer = OperationTextPrinter(schema: schema)
            return definitions.map { definition in
                switch definition {
                case .operation(let text): printer.operation(text)
                case .fragment(let text): printer.fragment(text)
                }
            }
        }
        return check(definitions, printed.flatMap(\.self), schema, workers, scope)
    }

    private static func check(
        _ definitions: [Definition], _ texts: [String], _ schema: Schema, _ workers: Workers, _ scope: Scope
    ) -> [Diagnostic] {
        var sources = SourceSet()
        let files = zip(definitions, texts).map { sources.add(path: $0.name, text: $1) }
        let parsed = workers.map(files) { files in
            files.map { Parser.parseDocument($0, limits: limits) }
        }.flatMap(\.self)
        var found = parsed.flatMap(\.diagnostics)
        if !found.hasErrors {
            found = Validator.validate(
                parsed.map(\.document), schema.server ?? schema, settings: settings, workers: workers)
        }
        let bySource = Dictionary(zip(files.map(\.id), definitions), uniquingKeysWith: { first, _ in first })
        let check = SentTexts(schema: schema, definitions: bySource, scope: scope)
        var reported: Set<SourceID> = []
        var result: [Diagnostic] = []
        for mistake in found where mistake.severity == .error && !limitIDs.contains(mistake.id) {
            guard reported.insert(mistake.span.source).inserted, let diagnostic = check.diagnostic(of: mistake),
                !result.contains(diagnostic)
            else { continue }
            result.append(diagnostic)
        }
        return result
    }

    /// The diagnostic at a place in the documents for a mistake in a text.
    private func diagnostic(of mistake: Diagnostic) -> Diagnostic? {
        guard let definition = definitions[mistake.span.source] else { return nil }
        let place = place(of: mistake.span)
        if mistake.id == .conflictingFields, let conflict = conflict(mistake, at: place) { return conflict }
        if scope == .conflicts { return nil }
        return Diagnostic(
            .refusedText,
            "the server would refuse what is sent for '\(definition.name)': \(mistake.message)",
            at: place ?? mistake.notes.first.flatMap { self.place(of: $0.span) } ?? definition.span,
            suggestion: suggestion(for: mistake))
    }

    /// The place in the documents of a span in a text; nil if the compiler added the text.
    private func place(of span: Span) -> Span? {
        let printer = OperationTextPrinter(schema: schema)
        let place = definitions[span.source]?.place(at: Int(span.start), printer)
        return place == Span.none ? nil : place
    }

    /// The conflict between two fields that are both in the documents, and differ by the arguments of their fragments.
    /// Nil if the compiler added one of the fields.
    private func conflict(_ mistake: Diagnostic, at place: Span?) -> Diagnostic? {
        guard let place, let other = mistake.notes.first, let otherPlace = self.place(of: other.span) else {
            return nil
        }
        var notes: [Diagnostic.Note] = []
        if otherPlace != place { notes.append(.init(other.message, at: otherPlace)) }
        var known: Set<Span> = [.none]
        for source in [mistake.span.source, other.span.source] {
            guard let definition = definitions[source], known.insert(definition.copiedAt).inserted else { continue }
            notes.append(.init("'\(definition.name)' is spread here", at: definition.copiedAt))
        }
        let prefix = "conflicting fields, "
        let message = mistake.message.hasPrefix(prefix) ? mistake.message.dropFirst(prefix.count) : mistake.message[...]
        return Diagnostic(
            .conflictingFields,
            "conflicting fields when the fragments have their arguments, \(message)",
            at: place, notes: notes,
            suggestion: "pass the same arguments, or give one of the fields another alias")
    }

    /// The advice for a text that is refused. The advice differs for mistakes that the schema causes and for defects of
    /// the compiler.
    private func suggestion(for mistake: Diagnostic) -> String {
        switch mistake.id {
        case .conflictingFields: "the compiler adds 'id'; give the other field an alias"
        case .invalidValue, .incompatibleVariable:
            "what a spread passes to a fragment without a check does not fit there"
        case .missingArgument: "the compiler adds fields without arguments, and the schema demands one of them"
        case _ where mistake.message.contains("'@defer'") || mistake.message.contains("'@stream'"):
            "the schema's own declaration of the directive does not allow it; leave the declaration out, or complete it"
        default: "this is a defect of the compiler; please report it with the documents"
        }
    }

    /// The limits of the parser. Flattening may nest texts deeper than the documents.
    private static let limits = ParserLimits(nesting: ParserLimits.nestingChoices.upperBound, tokens: .max)

    /// A text that is not validated to its end is sent. Labels may occur twice, because copies of a fragment for
    /// different arguments have the same, as Relay sends them.
    private static let settings = ValidationSettings(labelScope: .nowhere, reportsLimits: false)
    /// The parser's errors that only mean that a text was not read to its end.
    private static let limitIDs: Set<DiagnosticID> = [.nestingLimit, .tokenLimit]
}
