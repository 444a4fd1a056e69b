import HTML

/// The heart with which a signed-in visitor marks a film. It is a form, so that it works without scripts.
enum FavoriteButton {
    static func render(_ id: String, _ title: String, isMine: Bool, _ visit: Visit) -> HTML {
        guard visit.visitor != nil else { return "" }
        // The page comes back at the heart, with the focus there.
        let name = "favorite-\(id)"
        let label = "Favourite: \(title)"
        return """
            <form class="favorite" method="post" action="\(WebAddress("films", id, "favorite"))">
            <input type="hidden" name="on" value="\(isMine ? "no" : "yes")">\
            <input type="hidden" name="to" value="\(visit.address.at(name).text)">
            <button id="\(name)" aria-label="\(label)" aria-pressed="\(isMine ? "true" : "false")" title="\(label)">\
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M12 20.5C5 15.6 2.5 12 2.5 8.6 \
            2.5 5.8 4.7 3.8 7.2 3.8c1.9 0 3.7 1 4.8 2.9 1.1-1.9 2.9-2.9 4.8-2.9 2.5 0 4.7 2 4.7 4.8 0 3.4-2.5 7-9.5 11.9z"/>\
            </svg></button></form>
            """
    }
}
