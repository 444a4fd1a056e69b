import Baton
import BatonTesting

extension FixtureFailure {
    /// What tells a client of the failure of a real server.
    var problem: HTTPProblem {
        switch self {
        case .httpStatus(let status, let body) where (400...599).contains(status):
            HTTPProblem(status, body.isEmpty ? "The server has answered with the status \(status)." : body)
        case .httpStatus(let status, let body):
            HTTPProblem(502, "The server has answered with the status \(status): \(body)")
        case .contentType(let type, let body):
            HTTPProblem(502, "The server has answered with the type '\(type ?? "")': \(body)")
        case .noResponse, .cancelled: HTTPProblem(502, "The server has given no answer.")
        case .timedOut: HTTPProblem(504, "The server has given no answer in time.")
        case .transport(let text): HTTPProblem(502, "The server was not reached: \(text)")
        }
    }
}
