#if BATON_TSAN
    import Synchronization

    /// Tells the thread sanitizer that a version was released. The sanitizer does not see that reference counts order
    /// memory.
    ///
    /// Every reader's version has a mark, which is released before its pages and blocks. A writer that finds itself the
    /// only holder of the version, and changes it in place, declares that it comes later.
    final class VersionMark: Sendable {
        private static let order = Atomic<Int>(0)

        deinit { Self.order.wrappingAdd(1, ordering: .releasing) }

        /// Called before a reader lets memory of a version go that it holds by itself.
        static func readerIsDone() { order.wrappingAdd(1, ordering: .releasing) }

        static func comeAfterReaders() { _ = order.load(ordering: .acquiring) }
    }
#endif
