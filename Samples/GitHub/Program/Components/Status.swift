import Baton
import Foundation
import TerminalRenderer

/// The last line: what has happened, who is signed in, and what is left of the rate limit.
///
/// It asks for nothing: every query of the program brings its fields.
final class Status: Component {
    private static let query = graphql(
        """
        query StatusQuery { ...Status_query }

        fragment Status_query on Query {
          viewer { id login }
          rateLimit { cost limit remaining resetAt }
        }
        """
    )

    private let session: Session
    private let status: QueryHandle<StatusQuery>

    init(in session: Session) {
        self.session = session
        status = QueryHandle(in: session.environment, fetchPolicy: .storeOnly)
    }

    var content: any Element {
        let data = status.get().data.flatMap { session.environment.read($0.fragments.status_query) }
        session.viewer = data.map { ($0.viewer.id, $0.viewer.login) }
        let cost = data?.rateLimit.map { ", \($0.cost) each" } ?? ""
        return Live { [session] frame in
            let (service, rate) = (session.connectivity.status, session.rate.state)
            let isWide = frame.canvas.size.width >= 60
            let notice = session.notice?.text(in: frame)
            return Row(gap: 1) {
                if let outage = service.outage {
                    Text.badge("OFFLINE", .red, isBold: true)
                    notice ?? Text("\(outage.error.words) Trying again.")
                } else {
                    notice ?? Text(data?.viewer.login ?? "", .dim)
                }
                Spacer()
                if service.requestsInFlight > 0 { Spinner() }
                // What has happened takes the line as long as it is shown.
                if isWide, notice == nil {
                    Text("\(rate.requests) request\(rate.requests == 1 ? "" : "s"),", .dim)
                }
                if notice == nil, let remaining = rate.remaining, let limit = rate.limit {
                    let isLittle = remaining * 10 < limit
                    // When little is left, people want to know until when.
                    let end = isLittle ? rate.resetAt.map { " until \($0.timeOfDay)" } : nil
                    let text = "\(remaining)/\(limit)" + (isWide ? " points left" : "") + (end ?? (isWide ? cost : ""))
                    Text(text, isLittle ? .color(.yellow) : .dim)
                }
            }
        }
    }
}
