#if os(Linux)
    import BatonCompiler
    import Foundation

    /// A watch by inotify, with one watch for each folder.
    ///
    /// An event names an entry of a folder. Other events mean that any file may have changed: an overflow of the queue,
    /// a folder that moves, and a watch that the system has removed. The next list of folders sets such a watch again.
    package final class InotifyWatch: FileWatch {
        private let stop: WakePipe
        private let descriptor: Int32
        private var watches: [AbsolutePath: Int32] = [:]
        /// The folders of each watch. A watch has several folders if links lead to the same one.
        private var folders: [Int32: [AbsolutePath]] = [:]
        private var changes = FileChanges.entries([])
        /// Whether the system refused to watch a folder. Changes in that folder are then found by comparison.
        private var isIncomplete = false

        /// The milliseconds between two comparisons if some folder cannot be watched.
        private static let interval = 500
        private static let mask = UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
                | IN_DELETE_SELF | IN_MOVE_SELF)

        /// Makes a watch; nil if the system has no more instances of inotify.
        package init?(stop: WakePipe) {
            descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            self.stop = stop
            if descriptor < 0 { return nil }
        }

        deinit {
            close(descriptor)
        }

        package func watch(_ folders: Set<AbsolutePath>) -> Bool {
            for (folder, watch) in watches where !folders.contains(folder) {
                inotify_rm_watch(descriptor, watch)
                watches[folder] = nil
            }
            isIncomplete = false
            var isNew = false
            for folder in folders {
                // Two paths of one folder have one watch. A folder that was replaced under its name has a new one.
                let watch = inotify_add_watch(descriptor, folder.description, Self.mask | UInt32(IN_ONLYDIR))
                guard watch >= 0 else {
                    if errno != ENOENT, errno != ENOTDIR { isIncomplete = true }
                    watches[folder] = nil
                    continue
                }
                if watches[folder] != watch { isNew = true }
                watches[folder] = watch
            }
            self.folders = Dictionary(grouping: watches.keys) { watches[$0] ?? -1 }
            return isNew
        }

        package func wait(milliseconds: Int?) -> WatchEvent {
            var limit = milliseconds
            let looks = isIncomplete && (milliseconds ?? .max) >= Self.interval
            if looks { limit = Self.interval }
            let event = stop.wait(for: descriptor, milliseconds: limit)
            switch event {
            case .changed: drain()
            case .timeout where looks: return .changed
            case .timeout, .stopped: break
            }
            return event
        }

        package func takeChanges() -> FileChanges {
            defer { changes = .entries([]) }
            return isIncomplete ? .unknown : changes
        }

        /// Takes all events from the queue.
        private func drain() {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return }
                buffer.withUnsafeBytes { note(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        }

        /// Notes the events in a buffer, in which the name of each event follows the event.
        private func note(_ events: UnsafeRawBufferPointer) {
            guard case .entries(var paths) = changes else { return }
            changes = .entries([])
            var rest = events[...]
            while rest.count >= Self.headSize {
                let event = UnsafeRawBufferPointer(rebasing: rest)
                let length = Int(event.loadUnaligned(fromByteOffset: Self.lengthOffset, as: UInt32.self))
                let name = event[Self.headSize...].prefix(length).prefix { $0 != 0 }
                rest = rest.dropFirst(Self.headSize + length)
                let mask = event.loadUnaligned(fromByteOffset: Self.maskOffset, as: UInt32.self)
                let watch = event.loadUnaligned(fromByteOffset: 0, as: Int32.self)
                guard mask & Self.doubts == 0, let folders = folders[watch], !name.isEmpty,
                    let name = String(validating: name, as: UTF8.self)
                else {
                    changes = .unknown
                    return
                }
                for folder in folders { paths.insert(folder.appending(name)) }
            }
            changes = .entries(paths)
        }

        /// The number of bytes that an event has before its name.
        private static let headSize = MemoryLayout<inotify_event>.size
        private static let lengthOffset = MemoryLayout<inotify_event>.offset(of: \inotify_event.len) ?? 12
        private static let maskOffset = MemoryLayout<inotify_event>.offset(of: \inotify_event.mask) ?? 4
        /// The events after which any file may have changed, whatever name they have.
        private static let doubts =
            UInt32(IN_ISDIR | IN_DELETE_SELF | IN_MOVE_SELF)
            | UInt32(IN_Q_OVERFLOW | IN_IGNORED | IN_UNMOUNT)
    }
#endif
