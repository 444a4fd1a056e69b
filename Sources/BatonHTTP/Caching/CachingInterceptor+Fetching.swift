import Baton

extension CachingInterceptor {
    /// Answers a question from the storages, or asks the server.
    func answer(_ question: CacheQuestion, _ next: @escaping Next, _ deliver: @escaping Deliver) async throws {
        while true {
            let look = await levels.look(question)
            switch table.decide(question, look, at: time.value) {
            case .use(let entry):
                return try await deliver(entry.response(at: time.value, "fresh"))
            case .useAndFetch(let entry, let lead):
                // No caller waits for the newer response, so that fetching it does not count as a request of the
                // environment.
                RequestScope.$owner.withValue(nil) {
                    // The environment does not watch the time of this request, so that the network does.
                    var question = question
                    question.request.configuration.timeout = nil
                    _ = Task { [question] in try await ask(question, lead, isAwaited: false, next) { _ in } }
                }
                return try await deliver(entry.response(at: time.value, "stale"))
            case .lead(let lead):
                return try await ask(question, lead, isAwaited: true, next, deliver)
            case .join(let flight):
                switch try await flight.value() {
                case .response(let response): return try await deliver(response)
                case .alone: return try await next(question.request, deliver)
                case .givenUp: continue
                }
            }
        }
    }

    /// The outcome of looking again, as the only one in this process.
    private enum Claim {
        /// A response has come meanwhile.
        case answered(CacheEntry)
        /// The server is to be asked, possibly on behalf of all processes.
        case ask(CacheTable.Lead, SharedLease?)
        /// Another process asks the server.
        case busy
    }

    /// Asks the server, unless a response has come since the first look.
    private func ask(
        _ question: CacheQuestion, _ lead: CacheTable.Lead, isAwaited: Bool, _ next: Next,
        _ deliver: @escaping Deliver
    ) async throws {
        let claim: Claim
        do {
            claim = try await self.claim(question, lead, isAwaited: isAwaited)
        } catch {
            table.end(lead, with: .success(.givenUp))
            throw error
        }
        switch claim {
        case .answered(let entry):
            table.count(\.hits)
            let response = entry.response(at: time.value, "fresh")
            table.end(lead, with: .success(.response(response)))
            try await deliver(response)
        case .busy: table.end(lead, with: .success(.givenUp))
        case .ask(let lead, let lease):
            do {
                try await fetch(question, lead, lease, next, deliver)
            } catch {
                await lease?.end(isUnneeded: false)
                throw error
            }
            await lease?.end(isUnneeded: false)
        }
    }

    /// Looks again, because a response may have come between the first look and the permission to ask the server. If
    /// another process is asking, waits for its response, for a bounded time.
    private func claim(_ question: CacheQuestion, _ lead: CacheTable.Lead, isAwaited: Bool) async throws -> Claim {
        guard let shared = levels.shared, question.mayWait else {
            return claim(question, lead, await levels.look(question), nil)
        }
        let end = BoundedTime.end(of: shared.limits.lease, from: time.value)
        var pause = Duration.milliseconds(10)
        while true {
            let outcome = await shared.lease(question.key)
            let look = await levels.look(question)
            var lease: SharedLease?
            if case .granted(let token)? = outcome { lease = SharedLease(shared, question.key, token: token) }
            let claim = claim(question, lead, look, lease)
            if case .answered = claim {
                await lease?.end(isUnneeded: false)
                return claim
            }
            guard case .held? = outcome, time.value < end else { return claim }
            guard isAwaited else { return .busy }
            try await BoundedTime.sleep(for: pause, on: clock)
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    private func claim(
        _ question: CacheQuestion, _ lead: CacheTable.Lead, _ look: CacheLook, _ lease: SharedLease?
    ) -> Claim {
        if let entry = look.entry, question.use(look, at: time.value) == .fresh { return .answered(entry) }
        return .ask(lead.with(look, for: question), lease)
    }

    /// Asks the server for a response, or to confirm an older one, and resumes the equal requests that wait.
    private func fetch(
        _ question: CacheQuestion, _ lead: CacheTable.Lead, _ lease: SharedLease?, _ next: Next,
        _ deliver: @escaping Deliver
    ) async throws {
        let began = time.value
        let hasCredentials = Mark()
        let request = RequestReport.adding(to: question.request(confirming: lead.entry)) { event in
            if case .credentials = event { hasCredentials.set() }
        }
        let first = Mark()
        do {
            try await next(request) { [self] response in
                guard !first.set() else { return try await deliver(response) }
                let replaced = await kept(
                    question, lead, lease, response, since: began, hasCredentials: hasCredentials.isSet)
                // Requests with other values of headers that the key ignores wait for this response too.
                let isForOne = CacheEntry.varying(response.metadata).contains { CacheKey.ignores($0) }
                table.end(lead, with: .success(isForOne ? .alone : replaced.map { .response($0) } ?? .alone))
                try await deliver(replaced ?? response)
            }
            table.end(lead, with: .success(.givenUp))
        } catch {
            if !first.isSet,
                let old = await replacement(
                    for: error, question, lead, since: began, hasCredentials: hasCredentials.isSet)
            {
                table.end(lead, with: .success(.response(old)))
                return try await deliver(old)
            }
            // A server may refuse a POST whose condition does not hold (RFC 9110, section 13.1.2).
            if !first.isSet, lead.entry != nil, RelayError(ofStep: error).answeredStatus == 412 {
                await levels.remove(question)
                return try await fetch(question, lead.withoutEntry(for: question), lease, next, deliver)
            }
            let isCancelled = Task.isCancelled || error is CancellationError || (error as? RelayError) == .cancelled
            // If a step behind adds credentials, a refusal may concern only one user.
            let status = RelayError(ofStep: error).answeredStatus
            let isRefusal = status.map { (400..<500).contains($0) && $0 != 429 } ?? false
            let isForOne = isRefusal && hasCredentials.isSet && partition == nil
            table.end(lead, with: isCancelled ? .success(.givenUp) : isForOne ? .success(.alone) : .failure(error))
            throw error
        }
    }

    /// Keeps the response if that is allowed. Returns the response for all requests that wait; nil if each must ask for
    /// itself.
    private func kept(
        _ question: CacheQuestion, _ lead: CacheTable.Lead, _ lease: SharedLease?, _ response: NetworkResponse,
        since began: Duration, hasCredentials: Bool
    ) async -> NetworkResponse? {
        if let entry = lead.entry, response.status == 304 {
            return await confirm(
                entry, response.metadata, question, lead, since: began, hasCredentials: hasCredentials)
        }
        if let status = response.status, status >= 500, let stale = stale(question, lead) { return stale }
        if response.status == 412, lead.entry != nil { await levels.remove(question) }
        table.count(\.misses)
        guard !response.hasNext, response.status ?? 200 < 400 else { return nil }
        let now = time.value
        let outline = ResponseErrors(response.body)
        let isComplete = response.status ?? 200 == 200 && outline?.hasData == true && outline?.hasErrors == false
        if isComplete, let freshness = freshness(response.metadata, delay: now - began),
            mayKeep(freshness, question, hasCredentials),
            let entry = CacheEntry(response, to: question.request, freshness, at: now)
        {
            var entry = entry
            entry.staysHere = !mayLeave(entry, question, hasCredentials)
            let isForAll = await levels.store(entry, question, lead.look)
            await lease?.end(isUnneeded: !isForAll)
            return response
        }
        await lease?.end(isUnneeded: isComplete)
        // A response that is not kept still serves equal requests that came before it.
        let control = CacheControl(response.metadata["cache-control"])
        let isForOne =
            control.isNoStore || isShared && control.isPrivate || hasCredentials && partition == nil
            || response.metadata["vary"] == "*"
        return isForOne ? nil : response
    }

    private func replacement(
        for error: any Error, _ question: CacheQuestion, _ lead: CacheTable.Lead, since began: Duration,
        hasCredentials: Bool
    ) async -> NetworkResponse? {
        guard let entry = lead.entry, !Task.isCancelled else { return nil }
        switch RelayError(ofStep: error).reason {
        // A network that does not know conditional requests throws an error for status 304, without the fields.
        case .httpStatus(304, _, _):
            return await confirm(entry, [:], question, lead, since: began, hasCredentials: hasCredentials)
        case .httpStatus(..<500, _, _): return nil
        case .httpStatus, .transport, .noResponse, .timedOut: return stale(question, lead)
        default: return nil
        }
    }

    private func confirm(
        _ entry: CacheEntry, _ fields: [String: String], _ question: CacheQuestion, _ lead: CacheTable.Lead,
        since began: Duration, hasCredentials: Bool
    ) async -> NetworkResponse {
        let now = time.value
        table.count(\.confirmations)
        var merged = CacheEntry.merged(entry.metadata, fields)
        // A confirmation without a date counts as dated now.
        if fields["date"] == nil { merged["date"] = nil }
        let freshness = freshness(merged, delay: now - began)
        var confirmed = entry.confirmed(
            by: fields, for: question.request, at: now, freshness ?? entry.freshness)
        if freshness == nil {
            await levels.remove(question)
        } else {
            confirmed.staysHere = entry.staysHere || !mayLeave(confirmed, question, hasCredentials)
            await levels.store(confirmed, question, lead.look)
        }
        return confirmed.response(at: now, "confirmed")
    }

    /// The older response, if it may be used in place of an error.
    private func stale(_ question: CacheQuestion, _ lead: CacheTable.Lead) -> NetworkResponse? {
        let now = time.value
        guard let entry = lead.entry, lead.entryIsWanted, levels.memory.isCurrent(lead.look.versions, question.key),
            entry.freshness.mayReplaceError(after: now - entry.receivedAt, limit: question.maximumAge)
        else { return nil }
        table.count(\.hits)
        return entry.response(at: now, "stale")
    }

    private func freshness(_ fields: [String: String], delay: Duration) -> CacheFreshness? {
        CacheFreshness(
            fields, delay: delay, receivedAt: date(), rules: .init(isShared: isShared, defaultAge: defaultAge))
    }

    private func mayKeep(_ freshness: CacheFreshness, _ question: CacheQuestion, _ hasCredentials: Bool) -> Bool {
        if freshness.isPublic { return true }
        if isShared, hasCredentials || question.hasCredential, !freshness.mayBeSharedWithCredentials { return false }
        return partition != nil || !hasCredentials
    }

    /// Whether other processes may have a response. What depended on credentials never leaves the process, whatever the
    /// server says of it.
    private func mayLeave(_ entry: CacheEntry, _ question: CacheQuestion, _ hasCredentials: Bool) -> Bool {
        guard question.key.digest != nil, !hasCredentials, !question.namesUser, entry.metadata["set-cookie"] == nil,
            entry.freshness.mayLeaveTheProcess
        else { return false }
        return entry.freshness.isPublic || !question.key.exact.hasHeaders
    }
}
