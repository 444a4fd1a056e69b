import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WinSDK)
    import WinSDK
#endif

/// Gives precedence to an update that other updates have overtaken several times.
///
/// The priority is no lock. A waiting update continues after `patience` at the latest. So two updates cannot block each
/// other if the body of one waits for the other on another thread.
struct UpdatePriority: ~Copyable, Sendable {
    private static let patience = Duration.milliseconds(50)
    private let isTaken = Atomic(false)

    /// Waits while another update has precedence.
    @inline(__always)
    func letPass() {
        if isTaken.load(ordering: .relaxed) { wait { isTaken.load(ordering: .relaxed) } }
    }

    /// Waits for precedence; returns false if it did not come in time. If the result is true, the caller must call
    /// `give`.
    func take() -> Bool {
        wait { isTaken.exchange(true, ordering: .acquiringAndReleasing) }
    }

    func give() { isTaken.store(false, ordering: .releasing) }

    @inline(never)
    @discardableResult
    private func wait(while isBusy: () -> Bool) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while isBusy() {
            if clock.now >= end { return false }
            #if canImport(WinSDK)
                _ = SwitchToThread()
            #else
                _ = sched_yield()
            #endif
        }
        return true
    }
}
