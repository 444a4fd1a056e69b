/// The chosen levels of warnings, and of errors that may be lowered, by id. A level never changes any other error.
///
/// An id may be an error in one place and a warning in another. A level then changes the warnings and the lowerable
/// errors.
package struct WarningLevels: Hashable, Sendable {
    /// The effect on a diagnostic.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        /// The diagnostic is not reported.
        case off
        /// The diagnostic is a warning. Warnings without a level are warnings too.
        case warning
        /// The diagnostic is an error.
        case error
    }

    private var levels: [DiagnosticID: Level]

    package init(_ levels: [DiagnosticID: Level] = [:]) {
        self.levels = levels
    }

    /// The chosen level of an id; with nil, diagnostics of the id keep their severity.
    package subscript(id: DiagnosticID) -> Level? {
        get { levels[id] }
        set { levels[id] = newValue }
    }

    /// These levels, overridden by other levels.
    package func overridden(by other: WarningLevels) -> WarningLevels {
        WarningLevels(levels.merging(other.levels) { $1 })
    }

    /// Applies the levels to diagnostics and keeps their order.
    package func applied(to diagnostics: [Diagnostic]) -> [Diagnostic] {
        if levels.isEmpty { return diagnostics }
        return diagnostics.compactMap { diagnostic in
            guard diagnostic.severity == .warning || diagnostic.isLowerable, let level = levels[diagnostic.id] else {
                return diagnostic
            }
            var changed = diagnostic
            switch level {
            case .off: return nil
            case .warning: changed.severity = .warning
            case .error: changed.severity = .error
            }
            return changed
        }
    }

    /// Whether these levels turn an error into a warning, or off.
    package func lower(_ diagnostic: Diagnostic) -> Bool {
        guard diagnostic.severity == .error, diagnostic.isLowerable else { return false }
        return levels[diagnostic.id] == .warning || levels[diagnostic.id] == .off
    }
}
