import Baton
import HTML

/// One page: the queries that it needs, and what it shows of their data.
protocol Page: Sendable {
    /// The queries whose data decide what the page is, and with which status it is sent.
    var queries: [any GraphQLQuery] { get }

    /// The page, with the data in the environment of the visit.
    func content(_ visit: Visit) throws(PageError) -> Content
}

/// What a page shows.
struct Content: Sendable {
    let title: String
    let description: String
    let body: HTML
    /// A part that is sent after the body, as soon as its data has arrived.
    var later: LaterPart?
    /// What differs each time the page is made, at its end: it does not count for the version of the page.
    var end: SentOnce?
    var status = 200
    /// True if the page has a field for a search in its body, so that there is none above.
    var hasSearch = false
}

/// A part of a page whose data may take longer than that of the rest.
struct LaterPart: Sendable {
    let query: any GraphQLQuery & Sendable
    /// What is shown until the part arrives; it is hidden as soon as something follows it.
    let waiting: HTML
    let render: @Sendable (Visit) -> HTML
    /// What takes the place of the part if there is no data.
    let failed: @Sendable (RelayError.PublicFailure) -> HTML
}

/// The reason why there is no page.
struct PageError: Error {
    let status: Int
    let text: String
    var retryAfter: Duration?

    static func notFound(_ text: String) -> PageError { PageError(status: 404, text: text) }

    /// The reason why there is no page of a list behind this place. A service begins with the first page if it does not
    /// know the place, which then has nothing before it.
    static func place(_ after: String?, hasPreviousPage: Bool) -> PageError? {
        after == nil || hasPreviousPage ? nil : .notFound("The list has no such page.")
    }

    /// What a visitor may be told of a failure of the data.
    init(_ failure: RelayError.PublicFailure) {
        (status, text, retryAfter) = (failure.status, failure.text, failure.retryAfter)
    }

    init(status: Int, text: String) { (self.status, self.text) = (status, text) }
}

extension QueryHandle {
    /// The data that the site has put into the environment of the visit.
    static func inStore(of visit: Visit) -> QueryHandle {
        QueryHandle(in: visit.environment, fetchPolicy: .storeOnly)
    }
}

extension QueryResult {
    /// The data, or the failure as a visitor is told of it.
    func shown() throws(PageError) -> Data {
        do throws(RelayError) {
            if let data = try get() { return data }
        } catch { throw PageError(error.publicFailure) }
        throw PageError(RelayError.noData([]).publicFailure)
    }
}
