/// What happened with the file, for those who report it.
enum DiskEvent: Sendable {
    case opened(replaced: PersistenceError?)
    case read(records: Int, found: Int)
    case refused(field: String)
    case written(records: Int)
    case evicted(parts: Int)
    case failed(PersistenceError)
}
