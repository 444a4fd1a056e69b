/// What the rules are told before they run, so that nothing that they find is taken back.
package struct ValidationSettings: Sendable {
    /// Whether the labels of `@defer` and `@stream` are sent as they are written, so that each of them must occur once.
    package var sendsLabels: Bool
    /// Whether it is a mistake of documents that they are too large to be checked to the end.
    package var reportsLimits: Bool

    package init(sendsLabels: Bool = true, reportsLimits: Bool = true) {
        self.sendsLabels = sendsLabels
        self.reportsLimits = reportsLimits
    }
}
