// Shows new reviews as they are written. Without this script the page shows those of the moment when it was loaded.
(() => {
  const region = document.querySelector("[data-live]");
  const news = document.getElementById("news");
  if (!region || !news || !window.EventSource) return;
  const ids = () => Array.from(region.querySelectorAll("[data-review]"), (row) => row.dataset.review);
  // A link of the list keeps the focus, if the new list has it too.
  const replace = (piece) => {
    const focused = region.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    region.replaceChildren(piece);
    if (focused === null) return;
    const link = Array.from(region.querySelectorAll("a"), (a) => a).find((a) => a.getAttribute("href") === focused);
    if (link) link.focus({ preventScroll: true });
  };
  let timer;
  const tell = (text) => {
    clearTimeout(timer);
    news.className = text ? "thanks" : "hidden";
    news.textContent = text;
    if (text) timer = setTimeout(tell, 20000, "");
  };
  const show = (event) => {
    const before = ids();
    const template = document.createElement("template");
    // The server has escaped what people wrote, as in the page itself.
    template.innerHTML = event.data;
    if (template.innerHTML === region.innerHTML) return;
    replace(template.content);
    if (before.length > 0 && ids().some((id) => !before.includes(id))) tell("A new review has just arrived.");
  };
  // A browser has few connections for a site, so a page that nobody sees has none.
  let source = null;
  const listen = () => {
    const isSeen = document.visibilityState === "visible";
    if (isSeen && !source) {
      source = new EventSource(region.dataset.live);
      source.addEventListener("reviews", show);
    } else if (!isSeen && source) {
      source.close();
      source = null;
    }
  };
  document.addEventListener("visibilitychange", listen);
  addEventListener("pageshow", listen);
  addEventListener("pagehide", () => {
    if (source) source.close();
    source = null;
  });
  listen();
})();
