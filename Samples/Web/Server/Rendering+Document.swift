import Baton

extension Rendering<(frame: (title: String, body: HTML), changed: TrackedChange)> {
    /// The whole document: the contents, facts about the rendering, and the snapshot of the request's data, with which
    /// a client could go on.
    func document(of environment: RelayEnvironment, requests: Int) -> HTML {
        let (title, body) = page.frame
        let waterfalls = waterfalls.map { HTML("<li>\($0.description)</li>") }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
            <body><h1>\(title)</h1>
            \(body)
            <footer><p id="made" data-requests="\(requests)" data-passes="\(passes)" \
            data-settled="\(isSettled ? "true" : "false")">\(requests) requests, \(passes) passes</p>\
            <ul id="waterfalls">\(waterfalls)</ul></footer>
            <script type="application/json" id="snapshot">\(HTML.json(environment.snapshot()))</script>
            </body></html>
            """
    }
}
