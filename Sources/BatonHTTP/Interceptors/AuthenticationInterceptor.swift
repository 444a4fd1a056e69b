public import Baton
import Foundation

/// Adds a credential to requests, and renews it when the server rejects it.
///
///     let authentication = AuthenticationInterceptor {
///         try await keychain.token().map { .bearer($0) }
///     } refresh: { _ in
///         .bearer(try await session.refresh())
///     }
///
/// ### Behavior
///
/// - A request whose caller has set the header is passed on unchanged, and does not wait for a refresh.
/// - A request that `load` or `refresh` makes through this interceptor is passed on unchanged, because it would wait
///   for its own end. The closure gives such a request a credential itself. This holds for all tasks that the closures
///   start, until the closure returns: clear a store or notify the application after the closure.
/// - A rejection is `RelayError.httpStatus` with 401, a first response with that status, or a first response without
///   data whose errors `isUnauthenticated` recognizes. Only bodies that are small, or begin with their errors, are
///   read. A stream that the server ends with such errors before its first response is a rejection too.
/// - A mutation that may have been carried out is not sent again. Errors are a rejection of a mutation only if none has
///   a `path`, there is no member `data`, and the status is below 500. A response with data, or with a `path` in an
///   error, is not a rejection with any status: the caller gets that response.
/// - After a rejection the credential is refreshed once for all requests that were rejected with it, and each of these
///   requests is sent again once. The caller gets the second response.
/// - A request that was rejected with an older credential is sent again with the newest one, without a refresh.
/// - Any other request that begins during a refresh waits for its end.
/// - If the refresh fails, its error fails all requests that wait, and all requests that were sent before and are
///   rejected. `RelayError.underlying` holds the error. A ``RetryInterceptor`` or a ``ResubscribingInterceptor`` in
///   front does not try again, unless the error is one of a network.
/// - If there is no other credential, the caller gets the rejection.
/// - A cancelled request does not cancel the refresh.
/// - Nothing is sent again after a response went to the caller.
public final class AuthenticationInterceptor: NetworkInterceptor {
    private let credentials: SharedCredential
    private let isUnauthenticated: @Sendable ([GraphQLError]) -> Bool

    /// Makes an interceptor that gets its credentials from closures, which are called one at a time.
    ///
    /// - Parameters:
    ///   - isUnauthenticated: Recognizes the errors of a server that does not answer with 401.
    ///   - load: Returns the credential that the application has stored; nil if no user is logged in. The closure is
    ///     called for the first request, and for the first one after ``reset()``. An error fails the requests that
    ///     wait.
    ///   - refresh: Returns a new credential in place of the rejected one; nil if there is none.
    public init(
        isUnauthenticated: @escaping @Sendable ([GraphQLError]) -> Bool = AuthenticationInterceptor
            .hasUnauthenticatedCode,
        load: @escaping @Sendable () async throws -> Credential?,
        refresh: @escaping @Sendable (_ rejected: Credential?) async throws -> Credential?
    ) {
        credentials = SharedCredential(load: load, refresh: refresh)
        self.isUnauthenticated = isUnauthenticated
    }

    /// Returns true if an error has the code `UNAUTHENTICATED` in its extensions.
    public static func hasUnauthenticatedCode(_ errors: [GraphQLError]) -> Bool {
        errors.contains { $0.code == "UNAUTHENTICATED" }
    }

    /// A number that grows with each ``reset()``, and stays when a credential is refreshed. A cache in front of this
    /// interceptor uses it to keep the responses of one user from the next.
    public var session: Int { credentials.session }

    /// Forgets the credential, for example after a user logged in or out. Requests that were sent before are not sent
    /// again with the next credential.
    public func reset() { credentials.reset() }

    /// Sends the request with the credential.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        if credentials.leavesAlone(request) { return try await next(request, deliver) }
        let grant = try await Self.noting(request) { try await credentials.current() }
        if let header = grant.credential?.header, request.header(header) != nil {
            return try await next(request, deliver)
        }
        let first = FirstResponse(to: deliver) { [isUnauthenticated] response in
            Self.isRejection(response, of: request.kind, isUnauthenticated)
        }
        var rejection: any Error = RelayError.noResponse
        do {
            try await next(Self.authorized(request, grant)) { try await first.take($0) }
            if first.held == nil { return }
        } catch {
            if first.held == nil {
                guard !first.isPassed, isUnauthorized(error, of: request.kind) else { throw error }
                rejection = error
            }
        }
        try Task.checkCancellation()
        let replacement = try await Self.noting(request) { try await credentials.replacement(for: grant) }
        if let replacement {
            return try await next(Self.authorized(request, replacement), deliver)
        }
        guard let held = first.held else { throw rejection }
        try await deliver(held)
    }

    private static func authorized(_ request: NetworkRequest, _ grant: SharedCredential.Grant) -> NetworkRequest {
        // A cache in front must know that responses depend on the user, even if no user is logged in.
        request.note(.credentials)
        guard let credential = grant.credential else { return request }
        var request = request
        request.addHeader(credential.header, credential.value)
        return request
    }

    /// Tells the steps in front when a closure of the application has refused a credential, so that these steps do not
    /// try again. A failure of a network is not reported, since a further attempt may succeed.
    private static func noting<Value>(
        _ request: NetworkRequest, _ work: () async throws -> Value
    ) async throws -> Value {
        do { return try await work() } catch {
            switch error {
            case is RelayError, is any TransportError, is CancellationError, is URLError: break
            default: request.note(.refusedCredential)
            }
            throw error
        }
    }

    private static func isRejection(
        _ response: NetworkResponse, of kind: OperationKind, _ isUnauthenticated: ([GraphQLError]) -> Bool
    ) -> Bool {
        if response.status == 401 {
            let outline = ResponseErrors(response.body)
            return kind != .mutation || outline?.saysNothingRan(of: kind, status: response.ownStatus) ?? true
        }
        guard let outline = ResponseErrors(peekingAt: response.body),
            outline.saysNothingRan(of: kind, status: response.status)
        else { return false }
        return !outline.errors.isEmpty && isUnauthenticated(outline.errors)
    }

    private func isUnauthorized(_ error: any Error, of kind: OperationKind) -> Bool {
        switch RelayError(ofStep: error).reason {
        case .httpStatus(401, let body, _):
            kind != .mutation || ResponseErrors(Array(body.utf8))?.showsExecution != true
        case .transport(RelayError.StreamError.refused(let errors)):
            (kind != .mutation || errors.allSatisfy { $0.path == nil }) && isUnauthenticated(errors)
        default: false
        }
    }
}
