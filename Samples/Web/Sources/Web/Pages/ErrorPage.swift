import Baton
import HTML

/// The page for a request that cannot be answered. It needs no data.
struct ErrorPage: Page {
    let error: PageError

    var queries: [any GraphQLQuery] { [] }

    func content(_ visit: Visit) -> Content {
        let again: HTML =
            error.status >= 500 ? "<p><a class=\"button\" href=\"\(visit.address)\">Try again</a></p>" : ""
        let search: HTML = error.status == 404 ? SearchPage.form("") : ""
        return Content(
            title: title, description: error.text,
            body: """
                <div class="failure"><p class="episode">\(error.status)</p><h1>\(title)</h1><p class="lead">\(error.text)</p>
                \(search)\(again)<p><a href="\(WebAddress.home)">All films</a></p></div>
                """,
            status: error.status, hasSearch: error.status == 404)
    }

    private var title: String {
        switch error.status {
        case 400: "This request makes no sense"
        case 403: "Not from there"
        case 404: "Nothing is here"
        case 405: "Not in this way"
        case 408: "That took too long"
        case 413: "That is too much"
        case 500: "Something went wrong"
        case 502: "The data cannot be read"
        case 503: "The data cannot be reached"
        case 504: "The data takes too long"
        default: "That did not work"
        }
    }
}
