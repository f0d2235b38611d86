// A text that a person has typed and not sent stays when they open another form of the page, reload it or come back. Only
// the tab keeps it, until they send it, cancel or sign out. A form that opens has the focus.
(() => {
  const PREFIX = "typed ";
  const LONGEST = 100_000;
  const FIELD = "input:not([type=hidden]), select, textarea";

  /** The address of a form says what its text is about. */
  const keyOf = (field) => `${PREFIX}${new URL(field.form.action).pathname} ${field.id}`;

  function keep(field) {
    const { value, defaultValue } = field;
    try {
      if (value === defaultValue || value.length > LONGEST) sessionStorage.removeItem(keyOf(field));
      else sessionStorage.setItem(keyOf(field), JSON.stringify([defaultValue, value]));
    } catch {
      // There is no room for it, or the browser does not allow it.
    }
  }

  function forget(form) {
    for (const field of form.querySelectorAll("textarea")) sessionStorage.removeItem(keyOf(field));
  }

  function bringBack() {
    for (const field of document.querySelectorAll("main form[method=post] textarea")) {
      const [before, typed] = JSON.parse(sessionStorage.getItem(keyOf(field)) ?? "[]");
      // Not if somebody has changed meanwhile what it began with.
      if (before === field.defaultValue && field.value === before) field.value = typed;
    }
  }

  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLTextAreaElement && target.form?.method === "post" && target.closest("main")) keep(target);
  });
  document.addEventListener("submit", ({ target }) => {
    if (new URL(target.action).pathname === "/sign-out") sessionStorage.clear();
    else forget(target);
  });
  document.addEventListener("click", ({ target }) => {
    const cancelled = target.closest?.("form.edit-form a")?.closest("form");
    if (cancelled) forget(cancelled);
    const fold = target.closest?.("details.adding > summary")?.parentElement;
    // The browser opens it after this.
    if (fold && !fold.open) setTimeout(() => fold.querySelector(FIELD)?.focus());
  });

  try {
    bringBack();
  } catch {
    // The browser does not allow it.
  }
  // Browsers give no focus on pages whose address leads to a part of them, and take it back until such a page has loaded.
  addEventListener("load", () => {
    const form = document.querySelector(":target form.edit-form");
    if (form && document.activeElement === document.body) form.querySelector(FIELD)?.focus({ preventScroll: true });
  });
})();
