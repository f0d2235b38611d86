// Moves cards of a board and lines of a list by dragging. Without it, and by keyboard, the menu of each does the same.
(() => {
  let item = null;
  let from = null;

  const AREA = "[data-move]";
  const itemAt = (node) => {
    const found = node.closest?.("[data-key]");
    return found?.closest(AREA) ? found : null;
  };

  document.addEventListener("pointerdown", ({ target, pointerType }) => {
    // Fingers scroll.
    if (pointerType === "touch") return;
    const found = itemAt(target);
    if (!found || target.closest("form, input, .dots")) return;
    found.draggable = true;
    // Otherwise the browser would drag the link.
    for (const link of found.querySelectorAll("a")) link.draggable = false;
  });

  document.addEventListener("dragstart", (event) => {
    if (event.target !== itemAt(event.target)) return;
    item = event.target;
    from = { list: item.parentElement, next: item.nextElementSibling };
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", item.dataset.key);
    // live.js leaves the page alone while somebody drags.
    item.dataset.busy = "";
  });

  /** The list that the pointer is over: the cards of a column, or the list itself. */
  function listAt(node) {
    const area = node.closest?.(AREA);
    if (!area || area !== from.list.closest(AREA)) return null;
    return area.matches("ul") ? area : node.closest("section")?.querySelector("ul");
  }

  document.addEventListener("dragover", (event) => {
    const list = item && listAt(event.target);
    if (!list) return;
    event.preventDefault();
    const below = [...list.children].find((one) => one !== item && middleOf(one) > event.clientY) ?? null;
    if (item.parentElement !== list || nextOf(item) !== below) list.insertBefore(item, below);
  });

  const middleOf = (node) => node.getBoundingClientRect().top + node.offsetHeight / 2;
  const nextOf = (node) => node.nextElementSibling;

  document.addEventListener("drop", (event) => {
    if (!item || !event.target.closest?.(AREA)) return;
    event.preventDefault();
    const moved = item;
    const stays = from.list === moved.parentElement && from.next === nextOf(moved);
    from = null;
    if (!stays) send(moved);
  });

  document.addEventListener("dragend", () => {
    if (!item) return;
    // Dropped elsewhere: back to where it was.
    if (from) from.list.insertBefore(item, from.next);
    delete item.dataset.busy;
    item.draggable = false;
    item = from = null;
  });

  /** Sends the form that the menu would send. The next page shows the card in its place, or why it stays. */
  function send(moved) {
    const { move, filters, cursor } = moved.closest(AREA).dataset;
    const above = moved.previousElementSibling?.dataset.key;
    const below = moved.nextElementSibling?.dataset.key;
    const status = moved.closest("section")?.dataset.status;
    const place = above ? { after: above } : status ? { position: "top" } : { before: below };
    const values = { issue: moved.dataset.key, status_id: status, filters, cursor, ...place };
    const form = document.createElement("form");
    form.method = "post";
    form.action = move;
    form.hidden = true;
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  }
})();
