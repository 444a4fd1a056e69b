import CutFiles

/// What happened to a file, its log and its journal, in order.
package struct FileTrace: Sendable {
    package enum Event: Sendable {
        /// A file was made. Files have numbers; one that is made anew under an old name is another one.
        case made(file: Int, name: String)
        case deleted(file: Int, isFolderSynced: Bool)
        case written(file: Int, offset: Int, bytes: [UInt8])
        case truncated(file: Int, size: Int)
        case synced(file: Int, isFolderSynced: Bool)
        /// The program has said something.
        case mark(Int)
    }

    package var events: [Event]

    package init(_ events: [Event] = []) { self.events = events }

    /// Takes what was remembered since the watch began.
    package static func taken() -> FileTrace {
        var events: [Event] = []
        for index in 0..<cut_files_count() {
            let event = cut_files_event(index)
            let file = Int(event.file)
            let bytes = Array(UnsafeBufferPointer(start: event.bytes, count: event.count))
            switch Int(event.kind) {
            case CUT_FILES_OPEN: events.append(.made(file: file, name: String(decoding: bytes, as: UTF8.self)))
            case CUT_FILES_DELETE: events.append(.deleted(file: file, isFolderSynced: event.offset != 0))
            case CUT_FILES_WRITE: events.append(.written(file: file, offset: Int(event.offset), bytes: bytes))
            case CUT_FILES_TRUNCATE: events.append(.truncated(file: file, size: Int(event.offset)))
            case CUT_FILES_SYNC: events.append(.synced(file: file, isFolderSynced: event.offset != 0))
            default: events.append(.mark(Int(event.offset)))
            }
        }
        return FileTrace(events)
    }

    /// The name under which a file was made.
    package func name(of file: Int) -> String {
        for case .made(file, let name) in events { return name }
        return ""
    }

    /// The number of writes, truncations and deletions.
    package var changes: Int {
        events.count { event in
            switch event {
            case .written, .truncated, .deleted: true
            case .made, .synced, .mark: false
            }
        }
    }
}

/// The layer below SQLite, whose state belongs to the process: one run watches at a time.
package enum WatchedFiles {
    package struct Unavailable: Error, CustomStringConvertible {
        package let description = "the layer could not be put under SQLite"
    }

    /// Kinds of calls that can fail.
    package enum Call: Int, CaseIterable, Sendable {
        case open = 0
        case delete
        case read
        case write
        case truncate
        case sync
        case lock
        case size
        case access
        case map
    }

    /// Puts the layer under SQLite, and begins to watch the files whose path begins so.
    package static func watch(_ prefix: String) throws {
        guard cut_files_install(nil) != 0 else { throw Unavailable() }
        // What is on the disk after a cut is made from the events.
        cut_files_set_syncs(0)
        cut_files_watch(prefix)
    }

    package static func stop() {
        cut_files_watch(nil)
        cut_files_set_syncs(1)
    }

    package static func mark(_ number: Int) { cut_files_mark(Int64(number)) }

    /// How calls fail.
    package struct Fault: Sendable, CustomStringConvertible {
        package enum Answer: Int, CaseIterable, Sendable {
            /// The device fails.
            case error = 0
            /// The disk is full for writes.
            case full
            /// Another has the lock.
            case busy
        }

        package var calls: Set<Call> = Set(Call.allCases)
        package var answer = Answer.error
        /// The number of the first call that fails, and how many fail.
        package var first = 0
        package var times = 1
        /// A write that fails has written its first half.
        package var isPartial = false

        package init() {}

        package var description: String {
            let kinds =
                calls.count == Call.allCases.count ? "call" : calls.map { "\($0)" }.sorted().joined(separator: " or ")
            let count = times == 1 ? "" : times == .max ? " and all later ones" : " and \(times - 1) later ones"
            return "\(answer) from \(kinds) \(first)\(count)" + (isPartial ? ", after half of a write" : "")
        }
    }

    /// Has calls fail from now on, counted from 0.
    package static func fail(_ fault: Fault) {
        let kinds = fault.calls.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }
        cut_files_fail(
            kinds, Int64(fault.first), Int64(fault.times), Int32(fault.answer.rawValue), fault.isPartial ? 1 : 0)
    }

    /// Ends that. Returns how many calls were made, and how many of them have failed.
    @discardableResult package static func succeed() -> (calls: Int, failed: Int) {
        let calls = cut_files_succeed()
        return (Int(calls), Int(cut_files_failed()))
    }
}
