/// What the rules are told before they run, so that nothing that they find is taken back.
package struct ValidationSettings: Sendable {
    /// Where the label of a `@defer` or `@stream` must occur once.
    package enum LabelScope: Sendable {
        /// In a document, and in the definitions that an operation reaches: labels are sent as they are written.
        case operation
        /// In a definition, once with `@defer` and once with `@stream`: the compiler puts the name of the definition
        /// and of the directive before what is written. A directive that `if: false` switches off is not sent.
        case definition
        /// Labels are not checked.
        case nowhere
    }

    package var labelScope: LabelScope
    /// Whether it is a mistake of documents that they are too large to be checked to the end.
    package var reportsLimits: Bool

    package init(labelScope: LabelScope = .operation, reportsLimits: Bool = true) {
        self.labelScope = labelScope
        self.reportsLimits = reportsLimits
    }
}
