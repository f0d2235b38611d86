import type { Role } from "../domain/kernel/roles.ts";

/** The content of the demo workspace: a small web shop's team in the middle of its work. */

export const WORKSPACE = { slug: "acme", name: "Acme", plan: "business" } as const;
export const OWNER = { email: "owner@acme.test", name: "Olive Martin" };

export const PEOPLE: readonly { email: string; name: string; role: Role }[] = [
  { email: "chiara@acme.test", name: "Chiara Rossi", role: "admin" },
  { email: "ben@acme.test", name: "Ben Okafor", role: "member" },
  { email: "dmitri@acme.test", name: "Dmitri Volkov", role: "member" },
  { email: "emi@acme.test", name: "Emi Tanaka", role: "viewer" },
];

export const PROJECT = {
  key: "WEB",
  name: "Web shop",
  description_md: "Everything that customers see: catalogue, search, checkout and account pages.",
  lead_user_id: "chiara@acme.test",
  color: "#2563eb",
};

const [chiara, ben, dmitri, emi] = PEOPLE.map((person) => person.email) as [string, string, string, string];

/** Parents come before their children and are referenced by position: `#0` is the first issue. */
export const ISSUES: readonly Record<string, unknown>[] = [
  {
    type: "epic",
    title: "Checkout in one page",
    status: "in_progress",
    priority: "high",
    assignee: chiara,
    description_md: "Four steps lose us a third of all carts. One page, no account needed, no surprises at the end.",
  },
  { type: "epic", title: "Search that finds things", status: "todo", assignee: dmitri },
  { type: "epic", title: "Faster first page", status: "in_progress", priority: "high", assignee: ben },
  {
    type: "story",
    title: "Pay without an account",
    parent: "#0",
    status: "in_review",
    priority: "high",
    assignee: ben,
    story_points: 5,
    description_md:
      "As a new customer I want to pay with my e-mail address alone.\n\n- [x] guest cart\n- [ ] order mail",
  },
  {
    type: "story",
    title: "Show shipping cost before the last step",
    parent: "#0",
    status: "done",
    assignee: ben,
    story_points: 3,
  },
  {
    type: "story",
    title: "Remember the delivery address",
    parent: "#0",
    status: "in_progress",
    assignee: dmitri,
    story_points: 3,
  },
  { type: "story", title: "Vouchers on the checkout page", parent: "#0", status: "todo", story_points: 5 },
  { type: "story", title: "Tolerate typos in search", parent: "#1", status: "todo", assignee: dmitri, story_points: 8 },
  { type: "story", title: "Suggest products while typing", parent: "#1", status: "backlog", story_points: 5 },
  { type: "story", title: "Filter results by size and colour", parent: "#1", status: "backlog", priority: "low" },
  {
    type: "task",
    title: "Serve images as AVIF",
    parent: "#2",
    status: "done",
    assignee: ben,
    estimate_minutes: 480,
    spent_minutes: 420,
  },
  {
    type: "task",
    title: "Load the reviews after everything else",
    parent: "#2",
    status: "in_review",
    assignee: dmitri,
    estimate_minutes: 240,
  },
  {
    type: "task",
    title: "Drop the old tracking script",
    parent: "#2",
    status: "done",
    assignee: chiara,
    estimate_minutes: 60,
  },
  { type: "subtask", title: "Guest cart survives a reload", parent: "#3", status: "done", assignee: ben },
  { type: "subtask", title: "Order mail for guests", parent: "#3", status: "in_progress", assignee: ben },
  {
    type: "subtask",
    title: "Privacy note next to the e-mail field",
    parent: "#3",
    status: "in_review",
    assignee: chiara,
  },
  { type: "subtask", title: "Collect the 500 most frequent typos", parent: "#7", status: "todo", assignee: emi },
  {
    type: "bug",
    title: "Cart shows the old price after a currency change",
    status: "todo",
    priority: "critical",
    assignee: ben,
    reporter: emi,
    description_md: "1. Put something into the cart\n2. Switch to CHF\n3. The sum stays in EUR, the symbol changes",
  },
  {
    type: "bug",
    title: "Search for “ü” answers nothing",
    parent: "#1",
    status: "in_progress",
    priority: "high",
    assignee: dmitri,
  },
  {
    type: "bug",
    title: "Order button can be pressed twice",
    parent: "#0",
    status: "done",
    priority: "critical",
    assignee: ben,
  },
  {
    type: "bug",
    title: "Footer covers the last product on small screens",
    status: "backlog",
    priority: "low",
    reporter: emi,
  },
  { type: "task", title: "Renew the certificate of the image host", status: "done", assignee: chiara },
  { type: "task", title: "Write down how we release", status: "in_progress", assignee: chiara },
  { type: "task", title: "Try the new payment provider's sandbox", status: "backlog", assignee: dmitri },
  { type: "story", title: "Gift wrapping", status: "cancelled", priority: "lowest" },
];

/** Comments: the issue's position above, the author, and the text. */
export const COMMENTS: readonly { on: number; by: string; body_md: string }[] = [
  { on: 3, by: ben, body_md: "Ready for review. The order mail follows in its own subtask." },
  { on: 3, by: chiara, body_md: 'Looks good. One thing: the e-mail field needs `autocomplete="email"`.' },
  { on: 3, by: ben, body_md: "Added." },
  { on: 17, by: emi, body_md: "Two customers wrote to us about this today." },
  { on: 17, by: ben, body_md: "The price is cached per cart, not per currency. I take it next." },
  { on: 18, by: dmitri, body_md: "The index folds accents, the query does not. Fix is small, the tests are not." },
  { on: 11, by: chiara, body_md: "Largest paint went from 3.1 s to 1.9 s on the test phone. **Ship it.**" },
  { on: 24, by: OWNER.email, body_md: "Not this year. Closing." },
];

/** Later moves on the board, so that the history has entries. */
export const MOVES: readonly { on: number; by: string; status: string; comment_md?: string }[] = [
  { on: 17, by: ben, status: "in_progress" },
  { on: 15, by: chiara, status: "done", comment_md: "Approved by legal." },
  { on: 6, by: dmitri, status: "in_progress" },
];
