import Foundation

/// What a watch has written so far, for a thread that waits for more of it.
///
/// State: guarded by the condition, which the compiler does not know. A lock of the standard library cannot be waited
/// for.
package final class WatchOutput: @unchecked Sendable {
    private let condition = NSCondition()
    private var output = ""
    private var errors = ""
    private var isAtEnd = false

    /// More of the output is of no use.
    private static let kept = 1 << 20

    package init() {}

    package func append(output: String, errors: String) {
        condition.withLock {
            self.output += output
            self.errors += errors
            if self.output.utf8.count > 2 * Self.kept { self.output = String(self.output.suffix(Self.kept)) }
            condition.broadcast()
        }
    }

    /// Notes that nothing more will be written.
    package func end() {
        condition.withLock {
            isAtEnd = true
            condition.broadcast()
        }
    }

    /// Waits until something holds for what was written to standard output, which is looked at whenever there is more.
    package func wait(seconds: Double, until isReached: (_ output: String) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isReached(output) {
            if isAtEnd || !condition.wait(until: end) { return isReached(output) }
        }
        return true
    }

    /// Waits for the end.
    package func waitForEnd(seconds: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
            while !isAtEnd { if !condition.wait(until: end) { return isAtEnd } }
            return true
        }
    }

    /// Takes what was written to standard error since this was asked last.
    package func takeErrors() -> String {
        condition.withLock {
            defer { errors = "" }
            return errors
        }
    }
}
