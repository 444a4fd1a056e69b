// For tests, which collect between other things.

extension Store {
    /// Collects everything that nothing keeps.
    package func collectAll() { _ = collectGarbage(.request) }

    /// Begins a collection if none is under way, and does a few small pieces of it.
    package func collectSome(slices: Int, size: Int) {
        let work = Collector.Work(marking: size, looking: size, sweeping: size, freeing: size, vacating: 1)
        beginCollection(.request)
        for _ in 0..<slices {
            guard case .more = collectSlice(work) else { return }
        }
    }
}
