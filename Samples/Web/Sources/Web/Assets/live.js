// Shows new reviews as they are written. Without this script the page shows those of the moment when it was loaded.
(() => {
  const region = document.querySelector("[data-live]");
  const news = document.getElementById("news");
  if (!region || !news || !window.EventSource) return;
  const ids = () => Array.from(region.querySelectorAll("[data-review]"), (row) => row.dataset.review);
  const source = new EventSource(region.dataset.live);
  source.addEventListener("reviews", (event) => {
    const before = ids().join();
    const wasRead = ids().length > 0;
    // The server has escaped what people wrote, as in the page itself.
    region.innerHTML = event.data;
    if (wasRead && ids().join() !== before) {
      news.className = "thanks";
      news.textContent = "A new review has just arrived.";
    }
  });
  addEventListener("pagehide", () => source.close());
})();
