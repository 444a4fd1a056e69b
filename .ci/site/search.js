// Finds pages by their titles, in what `pages.js` has of each: title, kind, path, and what it stands in.
const input = document.getElementById("words")
const list = document.getElementById("found")
const count = document.getElementById("count")
const most = 40

// Less is better. A guide comes before a symbol of the same rank, and a short title before a long one.
function rank([title, kind, , place], words) {
  const text = title.toLowerCase()
  const all = text + " " + place.toLowerCase()
  if (!words.every(word => all.includes(word))) return null
  const whole = words.join(" ")
  const name = text.replace(/\(.*/, "")
  const own = name.slice(name.lastIndexOf(".") + 1)
  let order = 4
  if (text === whole || name === whole || place.toLowerCase() + " " + text === whole) order = 0
  else if (own === whole) order = 1
  else if (text.startsWith(whole) || own.startsWith(whole)) order = 2
  else if (words.every(word => new RegExp("\\b" + word.replace(/[^\w]/g, "\\$&")).test(text))) order = 3
  return order * 1000 + (kind === "guide" ? 0 : 500) + Math.min(title.length, 400)
}

function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return []
  return pages.map(page => [rank(page, words), page]).filter(([place]) => place !== null)
    .sort(([a], [b]) => a - b).map(([, page]) => page)
}

function show() {
  const found = find(input.value)
  list.replaceChildren(...found.slice(0, most).map(([title, kind, path, place]) => {
    const item = document.createElement("li")
    const link = document.createElement("a")
    link.href = path
    link.textContent = title
    const note = document.createElement("span")
    note.textContent = `${kind}, ${place}`
    item.append(link, note)
    return item
  }))
  const asked = input.value.trim()
  count.textContent = !asked ? "" : !found.length ? "No page has this name." :
    found.length > most ? `${found.length} pages, of which the first ${most} are shown` :
    found.length === 1 ? "1 page" : `${found.length} pages`
}

input.addEventListener("input", show)
const reveal = () => { if (location.hash === "#search") input.focus() }
addEventListener("hashchange", reveal)
input.value = new URLSearchParams(location.search).get("q") ?? input.value
show()
reveal()
