/// The severity of a diagnostic. With an error, the compiler writes no files.
package enum Severity: String, Sendable, Hashable, CaseIterable {
    case error
    case warning
}

/// The stable name of a kind of diagnostic, such as `unknown-field`; tools and the error guide refer to it.
///
/// Each stage declares its ids in a file such as `DiagnosticID+Schema.swift`, with a list of all ids and a list of the
/// ids of warnings. An id that several stages report is declared by the lowest of them.
package struct DiagnosticID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A finding of the compiler about one place in the source.
///
/// The message is in lower case, without a final period, with names in single quotes.
package struct Diagnostic: Hashable, Sendable {
    package var id: DiagnosticID
    package var severity: Severity
    package var message: String
    package var span: Span
    /// Further places that explain the diagnostic, such as 'first defined here'.
    package var notes: [Note]
    /// Advice on how to solve the problem, such as "did you mean 'name'?".
    package var suggestion: String?
    /// The change that solves the problem, if only one change can be meant.
    package var fix: Fix?
    /// Whether a project may lower the error to a warning, or turn it off.
    package var isLowerable: Bool

    package init(
        _ id: DiagnosticID,
        severity: Severity = .error,
        _ message: String,
        at span: Span,
        notes: [Note] = [],
        suggestion: String? = nil,
        fix: Fix? = nil,
        isLowerable: Bool = false
    ) {
        self.id = id
        self.severity = severity
        self.message = message
        self.span = span
        self.notes = notes
        self.suggestion = suggestion
        self.fix = fix
        self.isLowerable = isLowerable
    }

    /// A place that explains a diagnostic.
    package struct Note: Hashable, Sendable {
        package var message: String
        package var span: Span

        package init(_ message: String, at span: Span) {
            self.message = message
            self.span = span
        }
    }

    /// A replacement of a span. An empty span is a place of insertion; an empty replacement removes the span.
    package struct Fix: Hashable, Sendable {
        package var span: Span
        package var replacement: String

        package init(_ replacement: String, at span: Span) {
            self.replacement = replacement
            self.span = span
        }
    }
}

extension Sequence where Element == Diagnostic {
    /// Sorts by position, then by id and message, so that the order does not depend on the order of the stages.
    package func sortedByPosition() -> [Diagnostic] {
        sorted { left, right in
            if left.span != right.span { return left.span < right.span }
            if left.id != right.id { return left.id.rawValue < right.id.rawValue }
            return left.message < right.message
        }
    }

    /// Errors before warnings; the order within each is kept.
    package func errorsFirst() -> [Diagnostic] {
        filter { $0.severity == .error } + filter { $0.severity == .warning }
    }

    /// Whether any diagnostic is an error.
    package var hasErrors: Bool {
        contains { $0.severity == .error }
    }
}
