import BatonCompiler

/// A watch for systems that tell nothing about folders. Twice a second it tells that any file may have changed.
package final class PollingWatch: FileWatch {
    private let stop: WakePipe
    private let interval: Int

    package init(stop: WakePipe, milliseconds interval: Int = 500) {
        self.stop = stop
        self.interval = interval
    }

    package func watch(_ folders: Set<AbsolutePath>) -> Bool { false }

    package func wait(milliseconds: Int?) -> WatchEvent {
        if let milliseconds, milliseconds < interval {
            return stop.wait(for: nil, milliseconds: milliseconds)
        }
        let event = stop.wait(for: nil, milliseconds: interval)
        return event == .timeout ? .changed : event
    }

    package func takeChanges() -> FileChanges { .unknown }
}
