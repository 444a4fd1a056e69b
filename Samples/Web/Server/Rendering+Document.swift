import Baton

extension Rendering<(title: String, body: HTML)> {
    /// The whole document: the contents, how they came about, and the snapshot of the request's data, with which a
    /// client could go on.
    func document(of environment: RelayEnvironment, requests: Int) -> HTML {
        let waterfalls = waterfalls.map { HTML("<li>\($0.description)</li>") }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(page.title)</title></head>
            <body><h1>\(page.title)</h1>
            \(page.body)
            <footer><p id="made" data-requests="\(requests)" data-passes="\(passes)" \
            data-settled="\(isSettled ? "true" : "false")">\(requests) requests, \(passes) passes</p>\
            <ul id="waterfalls">\(waterfalls)</ul></footer>
            <script type="application/json" id="snapshot">\(HTML.json(environment.snapshot()))</script>
            </body></html>
            """
    }
}
