/// What becomes of warnings, chosen for each id; errors are never touched.
///
/// An id may be an error in one place and a warning in another: only its warnings change.
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

    /// The level of an id; `warning` unless another one was chosen.
    package subscript(id: DiagnosticID) -> Level {
        get { levels[id] ?? .warning }
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
            guard diagnostic.severity == .warning else { return diagnostic }
            switch self[diagnostic.id] {
            case .off: return nil
            case .warning: return diagnostic
            case .error:
                var raised = diagnostic
                raised.severity = .error
                return raised
            }
        }
    }
}
