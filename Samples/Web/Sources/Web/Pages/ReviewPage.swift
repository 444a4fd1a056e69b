import Baton
import HTML

/// A review that was not added: what is wrong, and the form with what was typed. The page needs no data.
struct ReviewPage: Page {
    let id: String
    /// The title of the film, if it is known.
    let film: String?
    let form: ReviewForm
    let status: Int
    let text: String

    var queries: [any GraphQLQuery] { [] }

    func content(_ visit: Visit) -> Content {
        let title = film.map { "Your review of \($0) was not added" } ?? "Your review was not added"
        let fields = form.problems.map { problem -> HTML in
            "<li><a href=\"\(problem.place)\">\(problem.text)</a></li>"
        }
        let list: HTML = fields.isEmpty ? "" : "<ul>\(fields)</ul>"
        return Content(
            title: title, description: "A review that was not added.",
            body: """
                <h1>\(title)</h1><div class="problem" role="alert" tabindex="-1" autofocus><p>\(text)</p>\(list)</div>
                \(form.render(id, level: .page))\
                <p class="back"><a href="\(WebAddress("films", id))">Back to the film</a></p>
                """,
            status: status)
    }
}
