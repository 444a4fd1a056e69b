import Baton
import HTML

/// A review that was not added: what is wrong, and the form with what was typed. The page needs no data.
struct ReviewPage: Page {
    let id: String
    let form: ReviewForm
    let status: Int
    let text: String

    var queries: [any GraphQLQuery] { [] }

    func content(_ visit: Visit) -> Content {
        Content(
            title: "Your review was not added", description: "A review that was not added.",
            body: """
                <h1>Your review was not added</h1><p class="problem" role="alert">\(text)</p>
                \(form.render(id))<p><a href="\(WebAddress("films", id))">Back to the film</a></p>
                """,
            status: status)
    }
}
