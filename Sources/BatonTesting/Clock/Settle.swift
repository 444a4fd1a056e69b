public import Baton

/// Waits until an environment has nothing left to do: every delivery to an observer is made, no collection runs, every
/// response that a network has given is in the store, and every request in flight rests.
///
///     request.respond(data: ["films": []])
///     await settle(environment)
///     #expect(films.result.data != nil)
///
/// A request rests while it sleeps on a ``ManualClock``, while a ``MockNetwork`` holds it for the test to answer, and
/// while a ``FixtureNetwork`` is at a pause without a time or at an open end. The function does not wait for the test's
/// own tasks, and returns early if the calling task is cancelled. What is open afterwards is the result of
/// `environment.settled(timeout: .zero)`.
///
/// A subscription of another network may be about to get an event or not, which nobody knows. The function waits until
/// nothing has happened for some milliseconds then.
///
/// - Parameters:
///   - environment: The environment to wait for.
///   - timeout: The longest wait, by the clock of the machine; longer if the machine is busy. After it the function
///     returns, and writes to standard error what it has waited for: requests that nobody in the test holds.
public func settle(_ environment: RelayEnvironment, timeout: Duration = .seconds(20)) async {
    RequestScope.watch()
    let activity = environment.activity
    let alarm = Alarm(after: timeout) { activity.look() }
    defer { alarm.stop() }
    while !Task.isCancelled {
        let counts = activity.counts
        if counts.isStill {
            if counts.loose == 0 { break }
            // What is about to happen needs its turns on a busy machine too.
            for _ in 0..<10 where activity.counts == counts {
                try? await BoundedTime.sleep(for: .milliseconds(1), on: ContinuousClock())
            }
            if activity.counts == counts || alarm.hasRung { break }
        } else if alarm.hasRung {
            environment.reportUnsettled(counts, after: timeout)
            break
        } else {
            alarm.start()
            await activity.change(after: counts.revision)
        }
    }
}

extension Activity.Counts {
    /// True if everything has ended, rests, or is a subscription that may rest.
    fileprivate var isStill: Bool {
        deliveries == 0 && collections == 0 && handovers == 0 && requests <= resting + loose
    }
}

extension RelayEnvironment {
    /// Writes what `settle` has waited for to standard error.
    fileprivate func reportUnsettled(_ counts: Activity.Counts, after timeout: Duration) {
        var causes = openRequests.map { "\($0.kind.rawValue) '\($0.operationName)', request \($0.id)" }
        if counts.deliveries > 0 { causes.append("a delivery to an observer") }
        if counts.collections > 0 { causes.append("a collection") }
        KitNote.write(
            "settle has waited \(timeout) for \(causes.joined(separator: "; ")): no network and no clock of the test "
                + "says that it waits for the test")
    }
}

extension ManualClock {
    /// Moves the time from one sleeper to the next, and calls `settle` after each sleeper and at the end.
    ///
    /// The order of events is therefore the same on every run, whatever the load of the machine.
    public func advance(by duration: Duration, settling environment: RelayEnvironment) async {
        let target = now.advanced(by: duration)
        await settle(environment)
        while !Task.isCancelled, wakeFirst(until: target) { await settle(environment) }
        advance(to: target)
        await settle(environment)
    }
}
