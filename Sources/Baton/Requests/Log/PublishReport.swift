/// The report of one publish to the log, which is written when the publish has landed.
package struct PublishReport {
    let log: EnvironmentLog
    let names: NameTable
    let source: LogEvent.Publish.Source
    /// The time at which the publish began.
    let start: Duration
    let normalizing: Duration?

    /// Reports the publish with its irregularities. Must not be called while a lock is held.
    func write(_ summary: PublishSummary) {
        log.reportNames(names)
        let number = Int(truncatingIfNeeded: summary.epoch)
        for change in summary.typeChanges {
            log.emit(
                .typeChanged(
                    LogEvent.TypeChange(
                        dataID: names.dataID(of: change.record), oldType: TypeName(names.name(of: change.old)),
                        newType: TypeName(names.name(of: change.new)), publish: number)))
        }
        guard log.isLogging else { return }
        log.emit(
            .published(
                LogEvent.Publish(
                    number: number, source: source, recordsWritten: summary.recordsWritten,
                    recordsChanged: summary.recordsChanged, componentsChecked: summary.subscriptionsChecked,
                    componentsNotified: summary.subscriptionsAffected, duration: log.now() - start,
                    normalizing: normalizing)))
    }
}
