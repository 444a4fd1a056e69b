/// What a publish did, for the log.
package struct PublishSummary: Sendable, Hashable {
    /// The version that the publish made.
    package var epoch: Epoch
    /// Records that the answer or the update brought.
    package var recordsWritten: Int
    /// Records of which at least one field changed, that were created or deleted.
    package var recordsChanged: Int
    /// Subscribers that were told.
    package var subscriptionsAffected: Int
    /// Subscribers of records that changed, told or not.
    package var subscriptionsChecked = 0
    /// Records of which an answer gave another type than before.
    package var typeChanges: [TypeChange] = []

    /// False if the store was emptied meanwhile, so that nothing was written.
    package var isLanded = true

    /// Puts together the figures of a publish that landed.
    package init(epoch: Epoch, recordsWritten: Int, recordsChanged: Int, subscriptionsAffected: Int) {
        self.epoch = epoch
        self.recordsWritten = recordsWritten
        self.recordsChanged = recordsChanged
        self.subscriptionsAffected = subscriptionsAffected
    }
}
