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
  let pause = 0;
  let retry;
  const leave = () => {
    clearTimeout(retry);
    if (source) source.close();
    source = null;
  };
  const listen = () => {
    if (document.visibilityState !== "visible") return leave();
    if (source) return;
    clearTimeout(retry);
    source = new EventSource(region.dataset.live);
    source.addEventListener("reviews", show);
    source.addEventListener("open", () => (pause = 0));
    // A browser asks again when a connection is lost, but gives up for ever after an answer such as 502 or 503.
    source.addEventListener("error", () => {
      if (!source || source.readyState !== EventSource.CLOSED) return;
      leave();
      pause = Math.min(pause * 2 || 1000, 60000);
      retry = setTimeout(listen, pause * (0.5 + Math.random() / 2));
    });
  };
  document.addEventListener("visibilitychange", listen);
  addEventListener("pageshow", listen);
  addEventListener("pagehide", leave);
  listen();
})();
