/// The next step before a handle's state is known.
enum ReaderStep<Target: Sendable>: Sendable {
    /// No step is needed; this is the reading.
    case shown(Reading?)
    case read(ReaderTask<Target>)
    /// Another step was done, which may have changed everything.
    case again
}
