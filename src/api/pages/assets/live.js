// Keeps a page current. Its stream says that something changed, and the page is loaded again; what the person is doing on
// it stays as it is. Without this script the page is as it was loaded.
(() => {
  const MOST_OFTEN_MS = 1_000;
  const FIRST_WAIT_MS = 1_000;
  const LONGEST_WAIT_MS = 60_000;
  const MOST_REFUSALS = 3;
  /** Many people have the same page open. They do not load it in the same moment. */
  const SPREAD_MS = 300;
  const SELECTION_MS = 15_000;

  const main = document.getElementById("main");
  if (!main?.dataset.live) return;

  let stream = null;
  let wait = FIRST_WAIT_MS;
  let refusals = 0;
  let connecting;
  let refreshing;
  let isLoading = false;
  let isDue = false;
  let loadedAt = Date.now();

  // A person who is dragging something is not disturbed, and one who has selected text not at once.
  const isBusy = () =>
    document.querySelector("[data-busy]") !== null || (hasSelection() && Date.now() < loadedAt + SELECTION_MS);
  function hasSelection() {
    const selection = getSelection();
    return selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode);
  }

  function connect() {
    clearTimeout(connecting);
    if (stream || document.hidden) return;
    stream = new EventSource(main.dataset.live);
    stream.addEventListener("stream.ready", () => {
      wait = FIRST_WAIT_MS;
      refusals = 0;
    });
    stream.addEventListener("changed", changed);
    stream.addEventListener("stream.closing", again);
    stream.addEventListener("stream.closed", () => {
      disconnect();
      // The person may no longer see the page, or not all of it: loading it shows which.
      changed();
    });
    stream.onerror = () => {
      if (stream?.readyState !== EventSource.CLOSED) return;
      again();
      // The person may have signed out while nobody looked at the page: loading it shows that.
      if (++refusals === MOST_REFUSALS) changed();
    };
  }

  function disconnect() {
    clearTimeout(connecting);
    stream?.close();
    stream = null;
  }

  function again() {
    disconnect();
    connecting = setTimeout(connect, wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  function changed() {
    isDue = true;
    if (isLoading || document.hidden) return;
    clearTimeout(refreshing);
    const pause = Math.max(0, loadedAt + MOST_OFTEN_MS - Date.now());
    refreshing = setTimeout(refresh, pause + Math.random() * SPREAD_MS);
  }

  async function refresh() {
    if (document.hidden) return;
    if (isBusy()) return changed();
    isDue = false;
    isLoading = true;
    const before = streamOf(main.dataset.live);
    try {
      await load();
    } catch {
      // The next change, or the next connection, tries again.
    }
    isLoading = false;
    loadedAt = Date.now();
    if (stream && before !== streamOf(main.dataset.live)) {
      disconnect();
      connect();
    }
    if (isDue) changed();
  }

  /** The stream without the time from which it tells changes. */
  const streamOf = (address) => (address ?? "").replace(/since=[^&]*/, "");

  async function load() {
    const reply = await fetch(location.href, { headers: { accept: "text/html" } });
    const isBusyThere = reply.status >= 500 || reply.status === 429;
    if (isBusyThere && !reply.redirected) return;
    const next = new DOMParser().parseFromString(await reply.text(), "text/html");
    // Signed out, or no longer a member.
    if (reply.redirected || !reply.ok) {
      if (!holdsWork(main)) location.reload();
      return;
    }
    const fresh = next.getElementById("main");
    if (!fresh || isBusy()) {
      isDue = true;
      return;
    }
    const before = textsOf();
    morph(fresh);
    say([...textsOf()].filter((text) => !before.has(text)));
    const unread = next.getElementById("unread");
    if (unread) document.getElementById("unread")?.replaceWith(unread);
    document.title = next.title;
  }

  function morph(fresh) {
    Idiomorph.morph(main, fresh, {
      callbacks: {
        beforeNodeMorphed: (node) => !isInUse(node),
        beforeNodeRemoved: (node) => !holdsWork(node) && !isSaid(node),
        // What is unfolded stays so.
        beforeAttributeUpdated: (name, node) => !(name === "open" && node instanceof HTMLDetailsElement),
      },
    });
    document.dispatchEvent(new CustomEvent("page-changed"));
  }

  // What changed is said once to those who do not see it, in the words of the page.
  const CARD = "[data-key]";
  const SAID = `${CARD}, p, li, dd, td`;
  const status = document.createElement("div");
  status.setAttribute("role", "status");
  status.className = "out";
  document.body.append(status);

  /** Without times, which change by themselves, and without what is to be filled in. */
  function textOf(node) {
    const copy = node.cloneNode(true);
    for (const other of copy.querySelectorAll("time, form, details, .dots")) other.remove();
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  /** A card is said as a whole. */
  const isOne = (node) => node.matches(CARD) || (!node.closest(CARD) && !node.querySelector(SAID));
  const textsOf = () => new Set([...main.querySelectorAll(SAID)].filter(isOne).map(textOf).filter(Boolean));

  function say([first, ...more]) {
    if (!first) return;
    status.textContent = `Changed: ${first.slice(0, 200)}${more.length > 0 ? `, and ${more.length} more` : ""}`;
  }

  /** A form that is being filled in keeps all of its fields, also the hidden one that says which version it changes. */
  function isInUse(node) {
    if (node instanceof HTMLFormElement) return isTouched(node);
    return isField(node) && !node.form && isChanged(node);
  }

  const holdsWork = (node) =>
    node instanceof Element &&
    [node, ...node.querySelectorAll("form")].some((one) => one instanceof HTMLFormElement && isTouched(one));

  /** What the page says about the form that was sent before. */
  const isSaid = (node) => node instanceof Element && node.parentElement === main && node.classList.contains("notice");

  const isTouched = (form) =>
    [...form.elements].some((field) => isField(field) && (isChanged(field) || isFocused(field)));
  const isFocused = (field) => field === document.activeElement && field.type !== "hidden";
  const isField = (node) =>
    node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement;

  function isChanged(field) {
    if (field instanceof HTMLSelectElement) {
      const given = [...field.options].some((option) => option.defaultSelected);
      return [...field.options].some((option, at) => option.selected !== (given ? option.defaultSelected : at === 0));
    }
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.type === "file") return field.files.length > 0;
    return field.type !== "hidden" && field.value !== field.defaultValue;
  }

  document.addEventListener("visibilitychange", () => {
    // A browser has few connections to a host: only the pages that are looked at keep one.
    if (document.hidden) return disconnect();
    connect();
    if (isDue) changed();
  });
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", ({ persisted }) => {
    connect();
    // By going back. The browser shows the page as it was left, perhaps by somebody who has signed out since.
    if (persisted) changed();
  });
  connect();
})();
