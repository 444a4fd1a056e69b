import HTML

/// What all pages have around their contents.
enum Layout {
    /// The beginning of a document, up to the contents. It needs no data, so that it can be sent before there is any.
    static func opening(_ content: Content, _ visit: Visit) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(title(of: content))</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="description" content="\(content.description)"><meta name="color-scheme" content="light dark">
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf6ee">
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#100f1c">
        <link rel="icon" href="\(Asset.icon.address)" type="image/svg+xml"><link rel="stylesheet" href="\(Asset.style.address)">
        <script src="\(Asset.script.address)" defer></script></head>
        <body><a class="skip" href="#contents">Skip to the contents</a>\(Stars.outline)
        <header><p class="name"><a href="\(WebAddress.home)">Nine Episodes</a></p>
        <nav aria-label="Site"><ul><li>\(link("Films", .home, visit))</li>\
        <li>\(link("Characters", WebAddress("characters"), visit))</li></ul></nav>
        \(content.hasSearch ? "" : search)\(account(visit))</header>
        <main id="contents" tabindex="-1">
        """
    }

    /// The end of a document.
    static let closing: HTML = """
        </main>
        <footer><p>Drawn from data, served by Baton. The saga belongs to its makers.</p></footer></body></html>

        """

    private static let name = "Nine Episodes"

    private static func title(of content: Content) -> String {
        content.title.lowercased() == name.lowercased() ? content.title : "\(content.title) - \(name)"
    }

    private static let search: HTML = """
        <search><form class="search" action="\(WebAddress("search"))"><label class="hidden" for="search">Search</label>\
        <input id="search" name="q" type="search" placeholder="Search" maxlength="100" dir="auto">\
        <button aria-label="Search"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">\
        <path d="M13 8a5 5 0 1 1-10 0 5 5 0 0 1 10 0zM12 12l5 5"/></svg></button></form></search>
        """

    private static func link(_ title: String, _ address: WebAddress, _ visit: Visit) -> HTML {
        "<a href=\"\(address)\"\("aria-current", is: visit.address == address ? "page" : nil)>\(title)</a>"
    }

    private static func account(_ visit: Visit) -> HTML {
        guard let visitor = visit.visitor else {
            return
                "<p class=\"account\"><a href=\"\(WebAddress("sign-in").with("to", visit.address.text))\">Sign in</a></p>"
        }
        return """
            <form class="account" method="post" action="\(WebAddress("sign-out"))">\
            <a href="\(WebAddress.home.with("mine", "yes"))"><bdi>\(visitor.name)</bdi></a> <button>Sign out</button></form>
            """
    }
}
