// Moves cards of a board by dragging. Without it, and by keyboard, the menu of each card does the same.
(() => {
  let card = null;
  let from = null;

  const boardOf = (node) => node.closest?.(".board[data-move]");

  document.addEventListener("pointerdown", ({ target, pointerType }) => {
    // Fingers scroll.
    if (pointerType === "touch") return;
    const found = target.closest?.(".issue-card");
    if (!found || !boardOf(found) || target.closest("form, .dots")) return;
    found.draggable = true;
    // Otherwise the browser would drag the link.
    for (const link of found.querySelectorAll("a")) link.draggable = false;
  });

  document.addEventListener("dragstart", (event) => {
    if (!event.target.matches?.(".issue-card") || !boardOf(event.target)) return;
    card = event.target;
    from = { list: card.parentElement, next: card.nextElementSibling };
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", card.dataset.key);
    // live.js leaves the page alone while somebody drags.
    card.dataset.busy = "";
  });

  document.addEventListener("dragover", (event) => {
    const column = card && event.target.closest?.(".board > section");
    if (!column) return;
    event.preventDefault();
    const list = column.querySelector(".column-cards");
    const below = [...list.children].find((one) => one !== card && middleOf(one) > event.clientY) ?? null;
    if (card.parentElement !== list || nextOf(card) !== below) list.insertBefore(card, below);
  });

  const middleOf = (node) => node.getBoundingClientRect().top + node.offsetHeight / 2;
  const nextOf = (node) => node.nextElementSibling;

  document.addEventListener("drop", (event) => {
    if (!card || !boardOf(event.target)) return;
    event.preventDefault();
    const moved = card;
    const stays = from.list === moved.parentElement && from.next === nextOf(moved);
    from = null;
    if (!stays) send(moved);
  });

  document.addEventListener("dragend", () => {
    if (!card) return;
    // Dropped beside the board: back to where it was.
    if (from) from.list.insertBefore(card, from.next);
    delete card.dataset.busy;
    card.draggable = false;
    card = from = null;
  });

  /** Sends the form that the menu would send. The next page shows the card in its place, or why it stays. */
  function send(moved) {
    const { move, filters } = boardOf(moved).dataset;
    const above = moved.previousElementSibling?.dataset.key;
    const status = moved.closest("section").dataset.status;
    const values = {
      issue: moved.dataset.key,
      status_id: status,
      filters,
      ...(above ? { after: above } : { position: "top" }),
    };
    const form = document.createElement("form");
    form.method = "post";
    form.action = move;
    form.hidden = true;
    for (const [name, value] of Object.entries(values)) {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  }
})();
