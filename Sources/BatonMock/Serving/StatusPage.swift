import Foundation

/// The page that says what the server serves, and shows the last requests.
enum StatusPage {
    /// The page as HTML. Everything that comes from elsewhere is escaped.
    static func html(_ facts: Responder.Facts, _ log: RequestLog, rules: Int, _ notices: [String]) -> String {
        let entries = log.entries
        let rows = entries.map(row).joined()
        let notices = notices.map { "<p><b>\(escaped($0))</b></p>" }.joined()
        let madeUp = "This server answers any operation of <b>\(escaped(facts.schema))</b> with data of the seed"
        let source = facts.recording.map(escaped) ?? "\(madeUp) \(facts.seed)."
        let none = "<tr><td colspan=\"7\">No request yet.</td></tr>"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>baton-mock</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"><style>
            body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
            table { border-collapse: collapse; width: 100% } th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem;
            text-align: left; vertical-align: top } td.n { text-align: right } code, pre { font: 13px/1.5 monospace }
            pre { margin: 0; max-width: 30rem; overflow-wrap: anywhere; white-space: pre-wrap }
            </style></head><body>
            <h1>baton-mock</h1>
            <p>\(source)</p>
            <p>Send operations to <code>\(escaped(facts.path))</code>, with GET or POST; subscriptions go there too, over
            <code>text/event-stream</code>, <code>multipart/mixed</code> or a WebSocket.
            <a href="\(escaped(facts.path))?query=%7B__typename%7D">Try it.</a></p>
            \(notices)
            <p>\(rules == 0 ? "No rule says" : rules == 1 ? "One rule says" : "\(rules) rules say") what goes wrong
            (<code>--rules FILE</code>). Header fields of a request say it too: <code>X-Mock-Delay: 200</code> (milliseconds
            before each message), <code>X-Mock-Error: message</code>, <code>X-Mock-Status: 503</code>, <code>X-Mock-Drop: 1</code>
            (the connection is cut in place of this message), <code>X-Mock-Events: 3</code> (a subscription ends then).</p>
            <h2>Requests: \(log.count)\(log.count > entries.count ? ", the last \(entries.count)" : "")</h2>
            <table><tr><th>Time</th><th>Over</th><th>Operation</th><th>Variables</th><th>Status</th><th>Answer</th>
            <th>Took</th></tr>
            \(entries.isEmpty ? none : rows)
            </table></body></html>

            """
    }

    /// Text in which HTML reads no mark.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func row(_ entry: RequestLog.Entry) -> String {
        let time = entry.date.formatted(.iso8601.time(includingFractionalSeconds: false))
        let messages = entry.messages == 1 ? "" : " in \(entry.messages) messages"
        let took = entry.microseconds / 1_000
        return """
            <tr><td>\(escaped(time))</td><td>\(escaped(entry.transport))</td><td>\(escaped(entry.operation))</td>\
            <td><pre>\(escaped(entry.variables))</pre></td><td class="n">\(entry.status)</td>\
            <td><details><summary>\(entry.bytes) bytes\(messages)</summary><pre>\(escaped(entry.answer))</pre></details>\
            </td><td class="n">\(took) ms</td></tr>

            """
    }
}
