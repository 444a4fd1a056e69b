/// A fault that is planted into what happened, to see that it is found.
package enum Plant: String, CaseIterable, Sendable {
    /// The log is never synced.
    case logSync = "log-sync-skipped"
    /// The file is never synced.
    case fileSync = "file-sync-skipped"
    /// What is moved into the file is written there before the log is synced.
    case order = "order-swapped"
    /// A flush is reported before the log is synced.
    case flush = "flush-early"

    package func applied(to trace: FileTrace) -> FileTrace {
        var names: [Int: String] = [:]
        for case .made(let file, let name) in trace.events { names[file] = name }
        func isLog(_ file: Int) -> Bool { names[file]?.hasSuffix("-wal") == true }
        func isMain(_ file: Int) -> Bool {
            !isLog(file) && names[file]?.hasSuffix("-journal") != true
        }
        var result = FileTrace()
        switch self {
        case .logSync, .fileSync:
            result.events = trace.events.filter { event in
                guard case .synced(let file, _) = event else { return true }
                return self == .logSync ? !isLog(file) : !isMain(file)
            }
        case .order:
            var held: FileTrace.Event?
            for event in trace.events {
                if case .synced(let file, _) = event, isLog(file), held == nil {
                    held = event
                } else if case .written(let file, _, _) = event, isMain(file) {
                    result.events.append(event)
                } else {
                    if let late = held { result.events.append(late) }
                    held = nil
                    result.events.append(event)
                }
            }
            if let held { result.events.append(held) }
        case .flush:
            result = trace
            for (place, event) in trace.events.enumerated() {
                guard case .mark = event else { continue }
                let before = trace.events[..<place].lastIndex { event in
                    guard case .synced(let file, _) = event else { return false }
                    return isLog(file)
                }
                guard let before else { continue }
                result.events.remove(at: place)
                result.events.insert(event, at: before)
            }
        }
        return result
    }
}
