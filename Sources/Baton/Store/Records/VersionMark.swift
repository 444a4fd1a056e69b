#if BATON_TSAN
    import Synchronization

    /// Tells the thread sanitizer that a version was released. The sanitizer does not see that reference counts order
    /// memory.
    ///
    /// Every reader's version has a mark, which is released before the version's pages and blocks. A writer changes a
    /// version in place if nothing else holds it, and first declares that the change comes after the readers.
    final class VersionMark: Sendable {
        private static let order = Atomic<Int>(0)

        deinit { Self.order.wrappingAdd(1, ordering: .releasing) }

        /// Called before a reader releases memory of a version that it holds by itself.
        static func readerIsDone() { order.wrappingAdd(1, ordering: .releasing) }

        static func comeAfterReaders() { _ = order.load(ordering: .acquiring) }
    }
#endif
