import { operations } from "../../src/api/operations/index.ts";
import type { World } from "../support/world.ts";

/** Everything that a project's readers are shown, so that what a call changed can be seen from outside. */

// biome-ignore lint/suspicious/noExplicitAny: views of all kinds
export type View = any;
/** By kind and id; a link counts once from each side. */
export type Shown = Map<string, View>;

type Kind = {
  /** The list that shows them all. */
  list: string;
  /** What an event of one is called, but for its last word. */
  kind: string;
  /** Which of them an event is about, where that is not `id`. */
  idOf?: (view: View, issueId: string | null) => string;
  /** What only the list shows. */
  listOnly?: string[];
};

export const KINDS: Kind[] = [
  { list: "projects.list", kind: "project" },
  { list: "project-members.list", kind: "project.member", idOf: ({ user_id }) => user_id },
  { list: "statuses.list", kind: "status" },
  { list: "labels.list", kind: "label", listOnly: ["issue_count"] },
  { list: "milestones.list", kind: "milestone" },
  { list: "sprints.list", kind: "sprint" },
  { list: "releases.list", kind: "release" },
  { list: "custom-field-defs.list", kind: "custom_field" },
  { list: "issues.list", kind: "issue" },
  { list: "comments.list", kind: "comment" },
  { list: "links.list", kind: "issue.link", idOf: ({ id }, issueId) => `${id} of ${issueId}` },
];

/** Lists whose rows have no events of their own, and why. */
export const UNTOLD: Record<string, string> = {
  "saved-views.list": "nobody else's work follows from a view",
  "watchers.list": "nobody else's work follows from watching",
  "custom-fields.list": "values are fields of their issue",
  "issues.activity": "history is what events leave behind",
  "issues.commits": "a commit is a line of its issue's history",
};

export const listsOfProjects = operations.filter(
  ({ shape, path }) => shape === "list" && path.startsWith("/v1/workspaces/{slug}/projects"),
);

/** The key under which an event's object is shown. */
export function keyOf(type: string, data: View, issueId: string | null): string {
  const name = type.slice(0, type.lastIndexOf("."));
  const { idOf } = KINDS.find(({ kind }) => kind === name) ?? {};
  return `${name} ${idOf?.(data, issueId) ?? data.id}`;
}

/** All that the lists show of the workspace's projects, archived ones too. */
export async function shown({ owner, workspace }: World): Promise<Shown> {
  const all: Shown = new Map();
  const root = `/v1/workspaces/${workspace.slug}/projects`;
  const read = async (path: string): Promise<View[]> => {
    const { body } = await owner.get(path).expect(200);
    if (body.pagination.next_cursor) throw new Error(`${path} has more than a page.`);
    return body.data;
  };
  const listed = async (id: string, params: Record<string, string>, issueId: string | null, query = "") => {
    const kind = KINDS.find(({ list }) => list === id)!;
    const route = listsOfProjects.find((operation) => operation.id === id)!.path;
    const path = route
      .replace("/v1/workspaces/{slug}/projects", root)
      .replace(/\{(\w+)\}/g, (_, name) => params[name]!);
    const views = await read(`${path}?limit=100${query}`);
    for (const view of views) {
      const own = Object.fromEntries(Object.entries(view).filter(([field]) => !kind.listOnly?.includes(field)));
      all.set(`${kind.kind} ${kind.idOf?.(view, issueId) ?? view.id}`, own);
    }
    return views;
  };

  const projects = [
    ...(await listed("projects.list", {}, null)),
    ...(await listed("projects.list", {}, null, "&archived=true")),
  ];
  const told = listsOfProjects.filter(({ id }) => KINDS.some(({ list }) => list === id));
  for (const { key } of projects) {
    for (const { id, head } of told) if (head === "P" && id !== "issues.list") await listed(id, { key }, null);
    const issues = [
      ...(await listed("issues.list", { key }, null)),
      ...(await listed("issues.list", { key }, null, "&archived=true")),
    ];
    for (const { id: issueKey } of issues) {
      for (const { id, head } of told) if (head === "I") await listed(id, { key, issueKey }, issueKey);
    }
  }
  return all;
}
