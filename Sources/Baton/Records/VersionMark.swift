#if BATON_TSAN
    import Synchronization

    /// Tells the thread sanitizer that a version was let go of: it does not see that reference counts order memory.
    ///
    /// The version of every reader has one, which goes before the pages and blocks do. Who then finds that nobody else
    /// holds a page or a block, and changes it in place, says that it comes later.
    final class VersionMark: Sendable {
        private static let order = Atomic<Int>(0)

        deinit { Self.order.wrappingAdd(1, ordering: .releasing) }

        static func comeAfterReaders() { _ = order.load(ordering: .acquiring) }
    }
#endif
