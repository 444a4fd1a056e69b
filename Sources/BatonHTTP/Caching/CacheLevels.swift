import Baton

/// The storages of a cache: the memory of the process, and possibly one that several processes share.
///
/// What the shared storage has given or got is in the memory too. So it is there if the shared storage is out of reach.
struct CacheLevels: Sendable {
    let memory: ResponseMemory
    let shared: SharedStorage?
    /// Whether outdated responses are of use, to be confirmed by the server.
    let keepsOutdated: Bool
    let time: ElapsedTime
    let date: @Sendable () -> Int
    let clock: ObjectIdentifier

    /// Reads all storages.
    func look(_ question: CacheQuestion) async -> CacheLook {
        let remote = await shared?.read(question.key)
        // The memory is read last, since it may have changed meanwhile.
        let local = memory.read(question.key)
        var look = CacheLook(versions: local.versions, sharedVersions: remote?.versions)
        guard let remote else {
            choose(local.response, question, &look) { $0.versions == local.versions }
            return look
        }
        choose(local.response, question, &look) {
            $0.versions == local.versions && $0.sharedVersions == remote.versions
        }
        guard let found = remote.response, question.key.isServed(by: found) else { return look }
        var entry = found.entry
        (entry.tags, entry.sharedVersions) = (question.key.tags, remote.response?.versions)
        entry.versions = local.versions
        let isBetter = choose(StoredResponse(entry), question, &look) { $0.sharedVersions == remote.versions }
        if isBetter, !look.isOutdated { memory.write(StoredResponse(entry), question.key) }
        return look
    }

    /// Takes over a response that is of more use than the one of the look, and returns true.
    @discardableResult private func choose(
        _ response: StoredResponse?, _ question: CacheQuestion, _ look: inout CacheLook, isCurrent: (CacheEntry) -> Bool
    ) -> Bool {
        guard let response else { return false }
        let now = time.value
        var other = look
        other.entry = response.entry.on(clock, now: now, date: date)
        other.isOutdated = !isCurrent(response.entry)
        if other.isOutdated, !keepsOutdated { return false }
        guard look.entry == nil || rank(other, question, now) > rank(look, question, now) else { return false }
        look = other
        return true
    }

    private func rank(_ look: CacheLook, _ question: CacheQuestion, _ now: Duration) -> Int {
        switch question.use(look, at: now) {
        case .fresh: 3
        case .whileRevalidating: 2
        case .stale: look.isOutdated ? 0 : 1
        }
    }

    /// Keeps a response, unless it is outdated already. Returns true if other processes get it too.
    @discardableResult
    func store(_ entry: CacheEntry, _ question: CacheQuestion, _ look: CacheLook) async -> Bool {
        var entry = entry
        entry.note(clock, date: date())
        entry.tags = question.key.tags
        entry.versions = look.versions
        entry.sharedVersions = look.sharedVersions
        memory.write(StoredResponse(entry), question.key)
        guard !entry.staysHere, let shared, let versions = look.sharedVersions else { return false }
        entry.versions = versions
        await shared.write(StoredResponse(entry), question.key)
        return true
    }

    /// Removes the responses to a question.
    func remove(_ question: CacheQuestion) async {
        memory.remove(question.key)
        await shared?.remove(question.key)
    }

    /// Makes responses outdated in the memory, and notes that the other processes are to be told.
    func invalidate(_ tags: Set<ResponseTag>) {
        memory.invalidate(tags, removing: !keepsOutdated)
        shared?.note(tags)
    }
}
