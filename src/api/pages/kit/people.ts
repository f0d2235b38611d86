import { type Html, html } from "../../../domain/kernel/html.ts";

/** People and agents. Agents are square, so that nobody takes one for a person. */

export type Named = {
  id: string;
  name: string | null;
  kind: "user" | "agent";
  /** Which projects they see, if it was read: all, those that are not limited to their members, or these. */
  sees?: "all" | "open" | readonly string[];
};

/** Those who can see a project, as far as it was read. `members`: of a project that only its members see. */
export const whoSee = <People extends ReadonlyMap<string, Named>>(
  people: People,
  project: { id: string; scoped: boolean },
  members: readonly { user_id: string }[],
): ReadonlyMap<string, Named> => {
  const among = new Set(members.map(({ user_id }) => user_id));
  const isIn = ({ id, sees = "all" }: Named) => {
    if (sees === "all") return true;
    return sees === "open" ? !project.scoped || among.has(id) : sees.includes(project.id);
  };
  return new Map([...people].filter(([, one]) => isIn(one)));
};

const COLORS = ["#0f766e", "#1d4ed8", "#7c3aed", "#a21caf", "#b91c1c", "#b45309", "#4d7c0f", "#475569"];

/** The first letters of a name, in a colour that stays the same. It says nothing that the name beside it does not. */
export function avatar({ id, name, kind }: Named, size = 24): Html {
  const color = COLORS[Number.parseInt(id.slice(-4), 16) % COLORS.length] ?? COLORS[0]!;
  const round = kind === "user" ? 50 : 18;
  return html`<svg class="avatar" width="${size}" height="${size}" viewBox="0 0 100 100" aria-hidden="true"><rect width="100" height="100" rx="${round}" fill="${color}"/><text x="50" y="54">${initials(name)}</text></svg>`;
}

function initials(name: string | null): string {
  const words = (name ?? "?").trim().slice(0, 200).split(/\s+/, 20).filter(Boolean);
  const [first = "?", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  return [first, last]
    .map((word) => [...word][0] ?? "")
    .join("")
    .toUpperCase();
}

/** An avatar with its name. Agents are called so. */
export const person = (one: Named): Html =>
  html`<span class="person">${avatar(one)}<span>${one.name ?? "Someone"}${one.kind === "agent" ? html` <span class="quiet">agent</span>` : ""}</span></span>`;
