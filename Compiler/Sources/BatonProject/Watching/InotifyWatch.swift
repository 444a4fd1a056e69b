#if os(Linux)
    import BatonCompiler
    import Foundation

    /// A watch by inotify, with one watch for each folder.
    ///
    /// Names in events are not read. An overflow of the queue is an event like any other, and a watch that the system
    /// has removed is set again with the next list of folders.
    package final class InotifyWatch: FileWatch {
        private let stop: WakePipe
        private let descriptor: Int32
        private var watches: [AbsolutePath: Int32] = [:]
        /// Whether the system refused a watch, so that changes there are found by looking.
        private var isIncomplete = false

        /// How often a project is compared if not all of its folders can be watched, in milliseconds.
        private static let interval = 500
        private static let mask = UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
                | IN_DELETE_SELF | IN_MOVE_SELF)

        /// Nil if the system has no inotify left to give.
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

        /// Takes all events from the queue.
        private func drain() {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return }
            }
        }
    }
#endif
