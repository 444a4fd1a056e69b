// What must not be done with handles and frames, and would have no effect or no end.

extension RelayEnvironment {
    /// Reports a handle that is let go while its request is under way, if somebody waits for it or a frame has made it.
    func reportLetGo(_ component: String, _ observers: Observers, _ policy: FetchPolicy) {
        guard log.hearsMistakes else { return }
        if Recording.current?.open?.hasRead(observers) == true {
            // The request goes on, because the frame keeps it.
            if policy.asksAlways { log.report(.handleOfOneFrame, at: component) }
            return
        }
        if observers.isInFrame { return }
        observers.noteCut()
        if observers.hasUntoldCaller { log.report(.handleLetGo, at: component) }
    }

    /// Reports an answer that nobody sees: the handle has never had an observer or a frame, and for two seconds nobody
    /// reads the store, while nothing else is under way. Code that runs once reads before that.
    func reportUnseenAnswer(of component: String, _ observers: Observers) {
        guard log.hearsMistakes, !log.hasReported(.answerUnseen, at: component) else { return }
        let mark = store.unseenLayer.begin()
        // A handle that is let go takes its observers with it.
        Task.detached { [weak self, weak observers] in
            // The turns are counted, because a busy machine gives none to the readers either.
            var turns = (left: 100, all: 0)
            while turns.left > 0 {
                try? await BoundedTime.sleep(for: .milliseconds(20), on: ContinuousClock())
                guard let self, let observers, !observers.wasUsed, self.store.unseenLayer.isUnseen(mark) else { return }
                turns.all += 1
                if turns.all > 3_000 { return }
                turns.left = self.activity.counts.requests > 0 ? 100 : turns.left - 1
            }
            if let self, observers != nil { self.log.report(.answerUnseen, at: component) }
        }
    }

    /// Runs a body that changes the store, and reports if a frame that is being drawn has read what the body changes.
    func reportingFrames<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let frame = Recording.current?.open, log.hearsMistakes, frame.changedComponent == nil else {
            return try body()
        }
        defer { if let component = frame.changedComponent { log.report(.frameThatWrites, at: component) } }
        return try body()
    }

    /// Reports a mutation that frame after frame commits, by tasks that the frames have begun.
    func reportCommitOfFrame(_ mutation: String) {
        guard log.hearsMistakes, let frame = Recording.frameOfTask,
            log.frameCommits.note(mutation, by: frame.number(in: log.frameCommits), at: now())
        else { return }
        log.report(.frameThatWrites, at: mutation)
    }
}

extension FetchPolicy {
    /// True if each new handle asks the network.
    fileprivate var asksAlways: Bool {
        switch self {
        case .networkOnly, .storeAndNetwork, .networkOrStore: true
        case .storeOrNetwork, .storeOnly: false
        }
    }
}
