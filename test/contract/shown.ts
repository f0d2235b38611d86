import { operations } from "../../src/api/operations/index.ts";
import type { World } from "../support/world.ts";

/** All data that a project's readers can see, so that the effect of a call can be observed from outside. */

// biome-ignore lint/suspicious/noExplicitAny: views of all kinds
export type View = any;
/** By kind and id; a link counts once from each side. */
export type Shown = Map<string, View>;

type Kind = {
  /** The operation that lists all of them. */
  list: string;
  /** The name of its events without the last word. */
  kind: string;
  /** The id of the object that an event is about. Default: `id`. */
  idOf?: (view: View, issueId: string | null) => string;
  /** Fields that only the list contains. */
  listOnly?: string[];
  nullInEvents?: string[];
  /** The operation that returns a complete one, if the list does not. */
  whole?: string;
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
  // Download URLs are made for each reader and expire within the hour, so events contain none.
  { list: "attachments.list", kind: "issue.attachment", nullInEvents: ["url", "url_expires_at"] },
  { list: "forms.list", kind: "form", whole: "forms.get" },
  { list: "forms.submissions", kind: "form.submission" },
  { list: "links.list", kind: "issue.link", idOf: ({ id }, issueId) => `${id} of ${issueId}` },
];

/** Lists whose rows have no events of their own, each with the reason. */
export const WITHOUT_EVENTS: Record<string, string> = {
  "saved-views.list": "a view triggers no work for others",
  "watchers.list": "watching triggers no work for others",
  "doc-watchers.list": "watching triggers no work for others",
  "custom-fields.list": "values are fields of their issue",
  "time-entries.list": "their minutes are a field of their issue, whose event names them if only a note changes",
  "issues.activity": "history is derived from changes that have events",
  "issues.commits": "a commit is an entry of its issue's history",
  "forms.fields": "fields are a part of their form",
};

export const listsOfProjects = operations.filter(
  ({ shape, path }) => (shape === "list" || shape === "all") && path.startsWith("/v1/workspaces/{slug}/projects"),
);

const nameOf = (type: string): string =>
  type === "form.submitted" ? "form.submission" : type.slice(0, type.lastIndexOf("."));

/** Whether a list shows the objects that events of this type are about. */
export const isShown = (type: string): boolean => KINDS.some(({ kind }) => kind === nameOf(type));

/** The key under which an event's object is shown. */
export function keyOf(type: string, data: View, issueId: string | null): string {
  const name = nameOf(type);
  const { idOf } = KINDS.find(({ kind }) => kind === name) ?? {};
  return `${name} ${idOf?.(data, issueId) ?? data.id}`;
}

/** Everything that the lists of the workspace's projects contain, including archived projects. */
export async function shown({ owner, workspace }: World): Promise<Shown> {
  const all: Shown = new Map();
  const root = `/v1/workspaces/${workspace.slug}/projects`;
  const read = async (path: string): Promise<View> => {
    const { body } = await owner.get(path).expect(200);
    if (body.pagination?.next_cursor) throw new Error(`${path} has more than a page.`);
    return body.data;
  };
  const pathTo = (id: string, params: Record<string, string>) =>
    operations
      .find((operation) => operation.id === id)!
      .path.replace("/v1/workspaces/{slug}/projects", root)
      .replace(/\{(\w+)\}/g, (_, name) => params[name]!);
  const listed = async (id: string, params: Record<string, string>, issueId: string | null, query = "") => {
    const kind = KINDS.find(({ list }) => list === id)!;
    const isPaged = listsOfProjects.some((operation) => operation.id === id && operation.shape === "list");
    let views = await read(`${pathTo(id, params)}?${isPaged ? "limit=100" : ""}${query}`);
    const { whole } = kind;
    if (whole) views = await Promise.all(views.map((view: View) => read(pathTo(whole, { ...params, id: view.id }))));
    for (const view of views) {
      const own = Object.fromEntries(Object.entries(view).filter(([field]) => !kind.listOnly?.includes(field)));
      for (const field of kind.nullInEvents ?? []) own[field] = null;
      all.set(`${kind.kind} ${kind.idOf?.(view, issueId) ?? view.id}`, own);
    }
    return views;
  };

  const projects = [
    ...(await listed("projects.list", {}, null)),
    ...(await listed("projects.list", {}, null, "&archived=true")),
  ];
  const reported = listsOfProjects.filter(({ id }) => KINDS.some(({ list }) => list === id));
  for (const { key } of projects) {
    const ofProject = reported.filter(({ head, path }) => head === "P" && !/\/(issues|forms)\b/.test(path));
    for (const { id } of ofProject) await listed(id, { key }, null);
    for (const { id } of await listed("forms.list", { key }, null))
      await listed("forms.submissions", { key, id }, null);
    const issues = [
      ...(await listed("issues.list", { key }, null)),
      ...(await listed("issues.list", { key }, null, "&archived=true")),
    ];
    for (const { id: issueKey } of issues) {
      for (const { id, head } of reported) if (head === "I") await listed(id, { key, issueKey }, issueKey);
    }
  }
  return all;
}
