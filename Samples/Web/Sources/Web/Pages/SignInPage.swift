import Baton
import HTML

/// The form with which a visitor signs in. A name is enough: this site keeps nothing but favourites.
struct SignInPage: Page {
    var name = ""
    var problem: String?
    /// The page to go back to.
    var back: WebAddress?

    var queries: [any GraphQLQuery] { [] }

    func content(_ visit: Visit) -> Content {
        if let visitor = visit.visitor, problem == nil { return welcome(visitor) }
        let wrong = problem.map { text -> HTML in "<p class=\"problem\" id=\"name-problem\">\(text)</p>" }
        let hidden = back.map { address -> HTML in "<input type=\"hidden\" name=\"to\" value=\"\(address.text)\">" }
        return Content(
            title: "Sign in", description: "Sign in to keep favourites.",
            body: """
                <h1>Sign in</h1><p class="lead">A name is enough. It lets you mark films, for as long as this site runs.</p>
                <form class="review" method="post" action="\(WebAddress("sign-in"))">
                <div\("class", is: problem == nil ? nil : "wrong")><label for="name">Your name</label>
                <input id="name" name="name" maxlength="60" autocomplete="nickname" dir="auto" required value="\(name)"\
                \("aria-invalid", is: problem == nil ? nil : "true")\("aria-describedby", is: problem == nil ? nil : "name-problem")>
                \(wrong)</div>
                \(hidden)<button>Sign in</button></form>
                """,
            status: problem == nil ? 200 : 422)
    }

    /// What is shown to those who are signed in already.
    private func welcome(_ visitor: Visitor) -> Content {
        Content(
            title: "Signed in", description: "Who is signed in.",
            body: """
                <h1>You are signed in</h1><p class="lead">Your name here is <bdi>\(visitor.name)</bdi>. To take another one, \
                sign out first.</p>
                <p><a href="\(back ?? .home)">Go on</a></p>
                """)
    }
}
