import Baton
import TerminalRenderer

/// Whether the service can be reached, and the next attempt if it cannot.
///
/// Time is looked at when a frame is drawn, and frames are asked for while there is something to wait for.
@MainActor
final class Connection {
    private static let longestPause = Duration.seconds(3)

    private let log: EventLog
    private var pause = Duration.seconds(1)
    private var nextAttempt: Duration?

    init(_ log: EventLog) { self.log = log }

    /// The time until the next attempt; nil if the service can be reached. Calls `again` when an attempt is due.
    func timeToAttempt(in frame: Frame, again: () -> Void) -> Duration? {
        guard log.isOffline else {
            (pause, nextAttempt) = (.seconds(1), nil)
            return nil
        }
        if log.requestsInFlight > 0 { return .zero }
        let due = nextAttempt ?? frame.time + pause
        nextAttempt = due
        if frame.time >= due {
            pause = min(Self.longestPause, pause * 2)
            nextAttempt = nil
            again()
        }
        frame.wakeUp(after: max(.milliseconds(50), min(due - frame.time, .seconds(1))))
        return max(.zero, due - frame.time)
    }
}
