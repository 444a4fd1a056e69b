import BatonProject
import Dispatch
import Foundation
import Synchronization

/// Turns the signals that end a program into the end of a wait, so that what is being written is written to its end.
final class StopSignals: Sendable {
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// From now on, the signals wake the pipe instead of ending the process.
    func send(to stop: WakePipe) {
        sources.withLock { sources in
            for number in [SIGINT, SIGTERM, SIGHUP] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { stop.wake() }
                source.resume()
                sources.append(source)
            }
        }
    }
}
