extension LogEvent {
    /// What an environment did with its file.
    public enum Persistence: Sendable, Hashable {
        /// The file was opened. The error says what was wrong with the file that was there before, if a new one has
        /// begun.
        case opened(replaced: PersistenceError?)
        /// Records were asked for that memory did not have, and some of them were found.
        case read(records: Int, found: Int)
        /// Values of a field, such as `Film.title`, count as missing, because the field has another type now. Each
        /// field is told once.
        case refused(field: String)
        /// Changes were written in one transaction.
        case written(records: Int)
        /// What had not been used for the longest time was removed from the file, because of its limits. A part is a
        /// record with what is embedded in it, some items of a long list, or a field of the root.
        case evicted(parts: Int)
        /// The file could not be opened, read or written. The environment goes on in memory, and tries again to write.
        case failed(PersistenceError)
    }

    init(_ event: DiskEvent) {
        self =
            switch event {
            case .opened(let replaced): .persistence(.opened(replaced: replaced))
            case .read(let records, let found): .persistence(.read(records: records, found: found))
            case .refused(let field): .persistence(.refused(field: field))
            case .written(let records): .persistence(.written(records: records))
            case .evicted(let parts): .persistence(.evicted(parts: parts))
            case .failed(let error): .persistence(.failed(error))
            }
    }
}

extension LogEvent.Persistence: CustomStringConvertible {
    /// The event in one line.
    public var description: String {
        switch self {
        case .opened(nil): "the file of the records was opened"
        case .opened(let error?): "a new file of the records was begun: \(error.message)"
        case .read(let records, let found): "\(found) of \(records) records were read from the file"
        case .refused(let field): "values of \(field) in the file are missing, because the field has another type now"
        case .written(let records): "\(records) records were written into the file"
        case .evicted(let parts): "\(parts) parts of the file that were not used were removed"
        case .failed(let error): "the file of the records failed: \(error)"
        }
    }
}
