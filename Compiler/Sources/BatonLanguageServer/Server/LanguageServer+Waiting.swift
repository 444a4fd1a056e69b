/// The requests that wait for a judgement.
///
/// Every request is answered when all that it needs is judged, as the client has told it before the answer. So it
/// misses nothing that was not judged yet, and the changes of a rename are for the texts that the client has. While
/// somebody types in one document, requests there do not wait for its text, which they read themselves. A position
/// means nothing in a text that has changed since: such a request is answered with `ContentModified`.
extension LanguageServer {
    struct WaitingRequest {
        let input: RequestInput
        let request: Request
        /// The number of judgements that have ended since, none of which was of the state at that time.
        var judgements = 0
    }

    /// The largest number of requests that wait. A client that asks more is told to ask again.
    static let waitingLimit = 1_000
    /// The largest number of judgements for which a request waits, because a client may change documents all the time.
    static let judgementLimit = 10

    /// Whether a request waits for a judgement, which therefore begins at once.
    package var hasWaiting: Bool { !waiting.isEmpty }

    /// Whether all that a request needs has been judged. The text of a document that is not open is that of the
    /// project.
    func isMet(_ need: Need, _ input: RequestInput) -> Bool {
        let document = input.uri.flatMap { documents[$0] }
        switch need {
        case .text where document != nil: return true
        case .otherTexts: return projects.values.allSatisfy { $0.isJudged(apartFrom: document?.path) }
        case .text, .thisState: return projects.values.allSatisfy { $0.isJudged(apartFrom: nil) }
        }
    }

    /// Answers a request, or keeps it until what it needs has been judged.
    mutating func take(_ request: Request, _ input: RequestInput) {
        if isCancelled(input.id) {
            answer(input.id, .failure(.cancelled))
        } else if isMet(request.need, input) {
            perform(request, input)
        } else if waiting.count < Self.waitingLimit {
            waiting.append(WaitingRequest(input: input, request: request))
        } else {
            answer(input.id, .failure(.contentModified("too many requests wait for the project to be read")))
        }
    }

    private mutating func perform(_ request: Request, _ input: RequestInput) {
        do throws(ResponseError) {
            answer(input.id, .success(try request.body(self, input)))
        } catch {
            answer(input.id, .failure(error))
        }
    }

    /// Answers the requests that need to wait no longer.
    package mutating func answerWaiting() {
        if waiting.isEmpty { return }
        let all = waiting
        waiting = []
        for request in all {
            if isCancelled(request.input.id) {
                answer(request.input.id, .failure(.cancelled))
            } else if isMet(request.request.need, request.input) {
                perform(request.request, request.input)
            } else if request.judgements >= Self.judgementLimit {
                answer(request.input.id, .failure(.contentModified("the documents change all the time")))
            } else {
                waiting.append(request)
            }
        }
    }

    /// Counts a judgement for the requests that wait.
    mutating func countJudgement() {
        for index in waiting.indices { waiting[index].judgements += 1 }
    }

    /// Answers the requests that wait for a place in a document that has changed.
    mutating func refuseWaiting(in uri: DocumentURI) {
        refuseWaiting(.contentModified("the document has changed since")) { $0.uri == uri }
    }

    mutating func refuseWaiting(_ error: ResponseError, where isRefused: (RequestInput) -> Bool) {
        if waiting.isEmpty { return }
        let refused = waiting.filter { isRefused($0.input) }
        waiting.removeAll { isRefused($0.input) }
        for request in refused {
            answer(request.input.id, .failure(isCancelled(request.input.id) ? .cancelled : error))
        }
    }
}
