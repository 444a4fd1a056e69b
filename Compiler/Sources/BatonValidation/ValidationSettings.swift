/// The settings of the rules. They are set before the rules run, so that no diagnostic is taken back later.
package struct ValidationSettings: Sendable {
    /// Whether labels of `@defer` and `@stream` are sent without changes, so that each label must occur once.
    package var sendsLabels: Bool
    /// Whether documents that are too large for a complete check are reported as a mistake.
    package var reportsLimits: Bool

    package init(sendsLabels: Bool = true, reportsLimits: Bool = true) {
        self.sendsLabels = sendsLabels
        self.reportsLimits = reportsLimits
    }
}
