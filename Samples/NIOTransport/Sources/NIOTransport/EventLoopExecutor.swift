import NIOCore

/// Runs the jobs of tasks on an event loop.
///
/// A task that prefers this executor changes no thread while it works with a connection of the same loop.
final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The executors of a group's event loops.
struct EventLoopExecutors: Sendable {
    private let group: any EventLoopGroup
    private let executors: [ObjectIdentifier: EventLoopExecutor]

    init(_ group: any EventLoopGroup) {
        self.group = group
        executors = Dictionary(
            group.makeIterator().map { (ObjectIdentifier($0), EventLoopExecutor($0)) }, uniquingKeysWith: { $1 })
    }

    /// The executor of the current event loop, or of one that the group chooses; nil if the group does not list it.
    var any: EventLoopExecutor? { executors[ObjectIdentifier(group.any())] }
}
