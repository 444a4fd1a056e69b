/// The effect of a publish, for the log.
package struct PublishSummary: Sendable, Hashable {
    /// The version that the publish made.
    package var epoch: Epoch
    /// The number of records that the response or the update brought.
    package var recordsWritten: Int
    /// The number of records that were created or deleted, or that have at least one changed field.
    package var recordsChanged: Int
    /// The number of subscribers that were notified.
    package var subscriptionsAffected: Int
    /// The number of examined index entries of changed records; a subscription may have several entries.
    package var subscriptionsChecked = 0
    /// The records whose types a response changed.
    package var typeChanges: [TypeChange] = []

    /// False if nothing was written because the store was emptied meanwhile.
    package var isLanded = true

    /// Creates the summary of a publish that landed.
    package init(epoch: Epoch, recordsWritten: Int, recordsChanged: Int, subscriptionsAffected: Int) {
        self.epoch = epoch
        self.recordsWritten = recordsWritten
        self.recordsChanged = recordsChanged
        self.subscriptionsAffected = subscriptionsAffected
    }
}
