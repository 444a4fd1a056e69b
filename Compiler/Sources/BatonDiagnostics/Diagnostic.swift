/// How much a diagnostic weighs; an error keeps the compiler from writing anything.
package enum Severity: String, Sendable, Hashable, CaseIterable {
    case error
    case warning
}

/// The stable name of a kind of diagnostic, such as `unknown-field`; tools and the error guide refer to it.
///
/// Each stage declares its own in a file such as `DiagnosticID+Schema.swift`, with lists of them: all, and those that
/// it reports as warnings. Where several stages report an id, the lowest of them declares it.
package struct DiagnosticID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// What the compiler has to say about one place in the source.
///
/// The message is in lower case, without a final period, with names in single quotes.
package struct Diagnostic: Hashable, Sendable {
    package var id: DiagnosticID
    package var severity: Severity
    package var message: String
    package var span: Span
    /// Further places that matter, such as 'first defined here'.
    package var notes: [Note]
    /// What to do about it, when that is known, such as "did you mean 'name'?".
    package var suggestion: String?
    /// The change that certainly cures it, without a choice left to anybody.
    package var fix: Fix?
    /// Whether it is an error that a project may choose to live with, so that its level can be chosen like that of a
    /// warning.
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

    /// Text that takes the place of a span; an empty span is a place to insert at, an empty replacement removes.
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
    /// By position, then by id and message, so that the order never depends on the order of the stages.
    package func sortedByPosition() -> [Diagnostic] {
        sorted { left, right in
            if left.span != right.span { return left.span < right.span }
            if left.id != right.id { return left.id.rawValue < right.id.rawValue }
            return left.message < right.message
        }
    }

    /// Errors, then warnings, each in the order in which they are.
    package func errorsFirst() -> [Diagnostic] {
        filter { $0.severity == .error } + filter { $0.severity == .warning }
    }

    /// Whether anything keeps the compiler from going on.
    package var hasErrors: Bool {
        contains { $0.severity == .error }
    }
}
