/// The destination of an environment's events: the log of the application. In a debug build without a log, mistakes of
/// the program are written to standard error.
///
/// An environment that fetches aside for another one shares its log.
final class EnvironmentLog: Sendable {
    /// The time since the environment was made.
    let now: @Sendable () -> Duration
    private let write: (@Sendable (LogEvent) -> Void)?
    let said: SaidMisuses
    let frameCommits = FrameCommits()
    #if DEBUG
        let compared: ComparedArtifacts
        /// Writes the mistakes of the program; nil if there is a log, or if mistakes are not reported.
        let mistakes: MistakeWriter?
    #endif

    #if DEBUG
        init(
            _ write: (@Sendable (LogEvent) -> Void)?, now: @escaping @Sendable () -> Duration,
            said: SaidMisuses = SaidMisuses(), compared: ComparedArtifacts = ComparedArtifacts(),
            mistakes: MistakeWriter?
        ) {
            self.write = write
            self.said = said
            self.now = now
            self.compared = compared
            self.mistakes = write == nil ? mistakes : nil
        }
    #endif

    init(
        _ write: (@Sendable (LogEvent) -> Void)?, now: @escaping @Sendable () -> Duration,
        said: SaidMisuses = SaidMisuses()
    ) {
        self.write = write
        self.said = said
        self.now = now
        #if DEBUG
            compared = ComparedArtifacts()
            mistakes = write == nil ? MistakeWriter() : nil
        #endif
    }

    /// True if there is a log, so that events must be made.
    var isLogging: Bool { write != nil }

    /// True if mistakes of the program are reported, to the log or to standard error.
    var hearsMistakes: Bool {
        #if DEBUG
            write != nil || mistakes != nil
        #else
            write != nil
        #endif
    }

    /// Reports an event. Must not be called while a lock is held.
    func emit(_ event: @autoclosure () -> LogEvent) {
        if let write { return write(event()) }
        #if DEBUG
            mistakes?.write(event())
        #endif
    }
}

extension EnvironmentLog {
    /// Returns the time at which a publish begins; zero if there is no log.
    func startOfPublish() -> Duration { isLogging ? now() : .zero }

    /// Returns the report of a publish that is about to begin. Returns nil if nothing is reported.
    ///
    /// `start` is the time at which the publish begins; nil means now.
    func report(
        of source: @autoclosure () -> LogEvent.Publish.Source, _ names: NameTable, since start: Duration? = nil,
        normalizing: Duration? = nil
    ) -> PublishReport? {
        guard hearsMistakes else { return nil }
        return PublishReport(
            log: self, names: names, source: source(), start: start ?? startOfPublish(), normalizing: normalizing)
    }

    /// Reports unknown names in updates.
    func reportNames(_ names: NameTable) {
        for event in names.withSpelling({ $0.takeEvents() }) { emit(.unknownName(event)) }
    }

    /// Reports the irregularities of a payload, without the credentials of its request.
    ///
    /// The request is nil for a payload that was published without one.
    func report(_ irregularities: [LogEvent.Irregularity], of operation: BoundOperation, _ request: NetworkRequest?) {
        guard hearsMistakes else { return }
        let credentials = request?.credentials
        emit(
            .irregularResponse(
                LogEvent.IrregularResponse(
                    operationName: operation.artifact.name, request: request?.id ?? 0,
                    irregularities: credentials.map { irregularities.map($0.struck(from:)) } ?? irregularities)))
    }

    /// Reports a misuse, once for each place. Must not be called while a lock is held.
    func report(_ kind: LogEvent.Misuse.Kind, at place: String) {
        let misuse = LogEvent.Misuse(kind: kind, place: place)
        guard hearsMistakes, said.insert(misuse) else { return }
        emit(.misuse(misuse))
    }

    /// True if a misuse was reported for this place.
    func hasReported(_ kind: LogEvent.Misuse.Kind, at place: String) -> Bool {
        said.contains(LogEvent.Misuse(kind: kind, place: place))
    }

    /// Reports a change of an operation's source since its compilation. A release build does nothing.
    ///
    /// Files are read once for each operation, and only if mistakes are reported. The caller waits for that, so that
    /// the note comes before the first result, after which a program may end.
    func compareWithSource(_ artifact: GeneratedCode.OperationArtifact) {
        #if DEBUG
            guard hearsMistakes, compared.insert(artifact) else { return }
            let changed = SourceComparison.changedDefinitions(ofGeneratedFile: artifact.file)
            guard !changed.isEmpty else { return }
            emit(.staleGeneratedCode(.init(operationName: artifact.name, definitions: changed)))
        #endif
    }
}

#if DEBUG
    /// The operations that have been compared with their sources.
    final class ComparedArtifacts: Sendable {
        private let artifacts = Guarded<Set<ObjectIdentifier>>([])

        /// Adds an operation; returns true if it was not in the set.
        func insert(_ artifact: GeneratedCode.OperationArtifact) -> Bool {
            artifacts.withLock { $0.insert(ObjectIdentifier(artifact)).inserted }
        }
    }
#endif
