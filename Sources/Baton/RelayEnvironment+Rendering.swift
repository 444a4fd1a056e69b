import Synchronization

extension RelayEnvironment {
    /// Waits until every request of this environment has arrived, failed or timed out.
    ///
    /// The method also waits for commits in a queue (`serial:`).
    ///
    /// - Returns: The requests that are still open, in the order in which they began, and then the commits that wait in
    ///   a queue. The list is empty unless the time is over or the task is cancelled.
    ///
    /// ### Behavior
    ///
    /// - Handles show the results when `settled` returns.
    /// - Subscriptions are not waited for, because they do not end.
    /// - `settled` returns when the timeout is over on the environment's clock.
    /// - `settled` returns when its task is cancelled.
    /// - `settled` returns at once, without a look at the clock, if nothing is open.
    /// - Requests that begin while `settled` waits are waited for as well.
    /// - A cancelled request is not open.
    /// - Commits that wait in a queue are open.
    ///
    /// - Parameter timeout: The longest wait; nil for no limit. With zero or less the method returns the open requests
    ///   at once.
    @discardableResult
    public func settled(timeout: Duration? = nil) async -> [AskedRequest] {
        if open.isEmpty, activity.counts.commits == 0 { return [] }
        return await settled(until: timeout.map { BoundedTime.end(of: $0, from: now()) })
    }

    /// Waits like `settled(timeout:)`, until a time on the environment's clock.
    func settled(until deadline: Duration?) async -> [AskedRequest] {
        let isLate = Alarm()
        let timer = deadline.map { deadline in
            Task { [sleep, activity] in
                guard (try? await sleep(deadline)) != nil else { return }
                isLate.ring()
                activity.look()
            }
        }
        defer { timer?.cancel() }
        while true {
            let counts = activity.counts
            let open = open
            // The request of a commit ends before its handle shows the result.
            if open.isEmpty && counts.commits == 0 || isLate.hasRung || Task.isCancelled { return open }
            await activity.change(after: counts.revision)
        }
    }

    /// The open work: requests in the order in which they began, and then the commits that wait in a queue.
    var open: [AskedRequest] {
        // A commit leaves the queue after its request has begun, so it is found in at least one of the two lists.
        let queued = serials.unsent.map(AskedRequest.init)
        let requests = requests.all.filter { $0.network.kind != .subscription && !$0.isGivenUp }
            .sorted { $0.network.id < $1.network.id }
        return requests.map(AskedRequest.init) + queued
    }

    /// The open work as above, subscriptions included.
    package var openRequests: [AskedRequest] {
        let queued = serials.unsent.map(AskedRequest.init)
        let requests = requests.all.filter { !$0.isGivenUp }.sorted { $0.network.id < $1.network.id }
        return requests.map(AskedRequest.init) + queued
    }

    /// Renders a page again and again until it asks for no new request.
    ///
    /// The closure reads handles, like a component that draws a frame. It is called on the caller's actor; between two
    /// calls the method waits as ``settled(timeout:)`` does.
    ///
    ///     let films = QueryHandle<FilmListQuery>(in: environment)
    ///     let rendering = try await environment.render(timeout: .seconds(2)) { page(films.get()) }
    ///
    /// The handles must live across the passes, because a new handle of the policy `networkOnly` sends a request in
    /// each pass. With new handles in each pass and a `passLimit` of `.max` the method continues until the time is
    /// over, and without a `timeout` for ever.
    ///
    /// ### Behavior
    ///
    /// - The page is that of a pass that asked for no request, unless the time or the passes were over.
    /// - The timeout counts for all passes, and then the page is rendered once more with the data that has arrived.
    /// - Unless the time is over, there are at most `passLimit` passes.
    /// - Each pass after the first is reported as a waterfall if it asked for a request.
    /// - An error of the page ends the rendering.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for all passes; nil for no limit, and zero or less for no wait.
    ///   - passLimit: The greatest number of passes; at least one is made.
    ///   - isolation: The actor on which the page is rendered.
    ///   - body: Renders one pass, and asks for data by its handles. Requests of other tasks that begin while an
    ///     asynchronous pass is suspended count as those of the pass.
    public func render<Page>(
        timeout: Duration? = nil, passLimit: Int = 16, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Page
    ) async rethrows -> Rendering<Page> {
        let deadline = timeout.map { BoundedTime.end(of: $0, from: now()) }
        let recorder = RequestRecorder()
        requests.add(recorder)
        defer { requests.remove(recorder) }
        var waterfalls: [AskedRequest.Waterfall] = []
        var before: [AskedRequest] = []
        var pass = 1
        while true {
            _ = recorder.take()
            let page = try await body()
            // A page asks only for queries. A mutation that another caller commits meanwhile does not belong to the
            // page.
            let asked = recorder.take().filter { $0.network.kind == .query }
            let reports = asked.map(AskedRequest.init)
            if pass > 1, !asked.isEmpty {
                waterfalls.append(AskedRequest.Waterfall(pass: pass, asked: reports, after: before))
            }
            let open = open
            let isDone = asked.isEmpty && open.isEmpty
            if isDone || pass >= passLimit {
                return Rendering(
                    page: page, passes: pass, open: open, waterfalls: waterfalls, isSettled: isDone)
            }
            if !asked.isEmpty { before = reports }
            let left = await settled(until: deadline)
            pass += 1
            guard left.isEmpty else {
                let page = try await body()
                return Rendering(
                    page: page, passes: pass, open: self.open, waterfalls: waterfalls, isSettled: false)
            }
        }
    }

    /// Draws a frame, and returns it with an object that delivers a change of data that the frame has read. Handles and
    /// fragments that `render` reads register themselves, and so does each property of a handle.
    ///
    /// Rendering is synchronous or asynchronous; a frame inside another is tracked by itself. A handle that is read
    /// costs one entry in its list of observers. If `render` throws, nothing is observed.
    public func track<Frame>(_ render: () throws -> Frame) rethrows -> (frame: Frame, changed: TrackedChange) {
        let change = TrackedChange(Tracker(), in: self)
        return (try change.record(render), change)
    }

    /// Draws a frame in the place of another one, with a name for those who watch frames.
    package func track<Frame>(
        label: String?, after last: TrackedChange?, _ render: () -> Frame
    ) -> (frame: Frame, changed: TrackedChange) {
        let change = TrackedChange(Tracker(), in: self)
        last?.noteUse()
        return (change.record(as: FrameOrigin(label: label, previous: last?.frameNumber), render), change)
    }

    /// Draws a frame asynchronously, and returns it with an object that delivers a change of data that the frame has
    /// read.
    public func track<Frame>(
        isolation: isolated (any Actor)? = #isolation, _ render: () async throws -> Frame
    ) async rethrows -> (frame: Frame, changed: TrackedChange) {
        let change = TrackedChange(Tracker(), in: self)
        return (try await change.record(isolation: isolation, render), change)
    }

    /// Draws frames: the first one at once, and another whenever data has changed that the last frame has read.
    ///
    ///     for await part in environment.frames({ reviews(of: handle.get(id: id)) }) { try await send(part) }
    ///
    /// So a server sends what changes to a page that is shown already. A change between two frames is not lost, and
    /// several changes may lead to one frame. The frames are drawn in the task that waits for them. They end when that
    /// task is cancelled, and when it reads no more of them.
    public func frames<Frame: Sendable>(_ render: @escaping @Sendable () -> Frame) -> AsyncStream<Frame> {
        let last = LastFrame()
        return AsyncStream { [self] in
            if let changed = last.known, await !changed.wait() { return nil }
            let changed = TrackedChange(Tracker(), in: self)
            let frame = changed.record(as: FrameOrigin(previous: last.known?.frameNumber), render)
            // Whoever reads the frames may end with this one, so that nobody waits for the next.
            changed.noteUse()
            last.replace(by: changed)
            return frame
        }
    }
}

/// The change that the next frame waits for.
private final class LastFrame: Sendable {
    private let changed = Guarded<TrackedChange?>(nil)

    var known: TrackedChange? { changed.withLock { $0 } }

    func replace(by next: TrackedChange) {
        let before = changed.withLock { known in
            defer { known = next }
            return known
        }
        // What was known is released outside of the lock.
        withExtendedLifetime(before) {}
    }
}

/// A flag that is raised once.
private final class Alarm: Sendable {
    private let flag = Atomic(false)

    var hasRung: Bool { flag.load(ordering: .acquiring) }
    func ring() { flag.store(true, ordering: .releasing) }
}
