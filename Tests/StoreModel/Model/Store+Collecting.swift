import Baton

extension Store {
    /// Begins a collection if none is under way, and does a few small pieces of it.
    package func collectSome(slices: Int, size: Int) {
        let work = CollectionWork(marking: size, looking: size, sweeping: size, freeing: size, vacating: 1)
        collector.begin(.request)
        for _ in 0..<slices {
            guard case .more = collector.collectSlice(work) else { return }
        }
    }
}
