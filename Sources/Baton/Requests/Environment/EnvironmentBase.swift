/// The data of an environment at one moment, shared by any number of environments over it.
///
/// A base never changes. It lives as long as anything refers to it. Its size is the size of the environment's data at
/// that moment. So the options of that environment bound it: the release buffer, the expiration and the memory budget.
///
/// Make environments with ``RelayEnvironment/init(over:network:log:)``. <doc:RenderingOnAServer> has an example.
public struct EnvironmentBase: Sendable {
    let store: StoreBase
    let sleep: @Sendable (Duration) async throws -> Void
    let lastRequest: Int
    /// The reported misuses, shared by the environments over the base.
    let said: SaidMisuses
    #if DEBUG
        let compared: ComparedArtifacts
        /// The writer of mistakes, shared by the environments over the base. A server may make such an environment for
        /// every request.
        let mistakes: MistakeWriter
    #endif

    init(of environment: RelayEnvironment) {
        lastRequest = environment.requests.lastID
        store = environment.store.base
        said = environment.log.said
        sleep = environment.sleep
        #if DEBUG
            compared = environment.log.compared
            mistakes = environment.log.mistakes ?? MistakeWriter()
        #endif
    }

    /// The number of records.
    public var recordCount: Int { store.records.rowCount }
}
