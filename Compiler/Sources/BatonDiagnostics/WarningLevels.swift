/// What becomes of warnings, and of the errors that may be lowered to warnings, chosen for each id; other errors are
/// never touched.
///
/// An id may be an error in one place and a warning in another: only its warnings change, and what is lowerable.
package struct WarningLevels: Hashable, Sendable {
    /// What becomes of a warning.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        /// Is not reported.
        case off
        /// Is reported and keeps nothing from going on, as without a choice.
        case warning
        /// Is reported as an error.
        case error
    }

    private var levels: [DiagnosticID: Level]

    package init(_ levels: [DiagnosticID: Level] = [:]) {
        self.levels = levels
    }

    /// The level that was chosen for an id; nil leaves warnings warnings and lowerable errors errors.
    package subscript(id: DiagnosticID) -> Level? {
        get { levels[id] }
        set { levels[id] = newValue }
    }

    /// These levels with those of another choice, which wins, on top.
    package func overridden(by other: WarningLevels) -> WarningLevels {
        WarningLevels(levels.merging(other.levels) { $1 })
    }

    /// The diagnostics as they are to be reported, in the same order.
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

    /// Whether these levels make an error a warning, or take it away.
    package func lower(_ diagnostic: Diagnostic) -> Bool {
        guard diagnostic.severity == .error, diagnostic.isLowerable else { return false }
        return levels[diagnostic.id] == .warning || levels[diagnostic.id] == .off
    }
}
