import type { Db } from "../../kernel/ports/ports.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { instantOfJson } from "../../kernel/wire.ts";
import type { IssueRow, LabelRow } from "./issue-row.ts";
import type { UserKind } from "./kind.sql.ts";
import { readNames, type Wanted } from "./names.sql.ts";

/**
 * The names that issues show: of their columns, people and labels. They change rarely, and joining them to each issue
 * costs more than the issue itself. So a process remembers them for each workspace, with the access version at which it
 * read them; a change of a name increases it (count_access_version).
 */

type Person = { name: string | null; kind: UserKind };

/** By id. Null: there is no such column, person or label any more. */
type Names = {
  readonly columns: Map<string, string | null>;
  readonly people: Map<string, Person | null>;
  readonly labels: Map<string, LabelRow | null>;
};

/** An issue as it is read without joins. */
export type BareIssue = Omit<IssueRow, "status_name" | "assignee_name" | "assignee_kind">;
type Added = Pick<IssueRow, "status_name" | "assignee_name" | "assignee_kind"> & { labels: LabelRow[] };
export type NamedIssue = BareIssue & Added;

/** Whatever of an issue is read, this much is needed to name it. */
type Unnamed = Pick<BareIssue, "status_id" | "assignee_ids" | "label_ids">;

const newNames = (): Names => ({ columns: new Map(), people: new Map(), labels: new Map() });
const NONE = newNames();

/** The most names that are remembered, of all workspaces together. Then all are forgotten. */
const MOST = 50_000;
let count = 0;

/** Of each workspace as it was admitted: another access version means another object. */
const versions = new WeakMap<Workspace, number>();
let remembered = new WeakMap<Workspace, Names>();

/** Lets names be remembered for a workspace. Every call that uses this object has confirmed its access version. */
export function rememberNames(workspace: Workspace, version: number): void {
  versions.set(workspace, version);
}

/** The access version at which a workspace was admitted. Null for one that no call was admitted to. */
export const versionOf = (workspace: Workspace): number | null => versions.get(workspace) ?? null;

/** Completes issues of a workspace, in place. Only names that are not remembered are read. */
export async function nameIssues<Issue extends Unnamed>(
  db: Db,
  workspace: Workspace,
  issues: Issue[],
): Promise<(Issue & Added)[]> {
  const names = remembered.get(workspace) ?? NONE;
  const wanted = missing(names, issues);
  const read = wanted ? await readMissing(db, workspace, wanted) : NONE;
  for (const issue of issues) complete(issue as Issue & Added, names, read);
  return issues as (Issue & Added)[];
}

function complete(issue: Unnamed & Added, names: Names, read: Names): void {
  const { status_id: columnId, assignee_ids, label_ids } = issue;
  const column = columnId === null ? null : (names.columns.get(columnId) ?? read.columns.get(columnId) ?? null);
  if (column === null) issue.status_id = null;
  issue.status_name = column;
  const [first] = assignee_ids;
  const person = first === undefined ? null : (names.people.get(first) ?? read.people.get(first) ?? null);
  issue.assignee_name = person === null ? null : person.name;
  issue.assignee_kind = person === null ? null : person.kind;
  issue.labels = [];
  for (const id of label_ids) {
    const label = names.labels.get(id) ?? read.labels.get(id);
    if (label) issue.labels.push(label);
  }
}

const isNamed = ({ status_id, assignee_ids, label_ids }: Unnamed, { columns, people, labels }: Names): boolean =>
  (status_id === null || columns.has(status_id)) &&
  (assignee_ids.length === 0 || people.has(assignee_ids[0]!)) &&
  label_ids.every((id) => labels.has(id));

/** What issues show that is not among the names. Null, which is nearly always, if nothing is missing. */
function missing(names: Names, issues: Unnamed[]): Wanted | null {
  if (issues.every((issue) => isNamed(issue, names))) return null;
  const { columns, people, labels } = names;
  const wanted = { columns: new Set<string>(), people: new Set<string>(), labels: new Set<string>() };
  for (const { status_id, assignee_ids, label_ids } of issues) {
    if (status_id !== null && !columns.has(status_id)) wanted.columns.add(status_id);
    const [first] = assignee_ids;
    if (first !== undefined && !people.has(first)) wanted.people.add(first);
    for (const id of label_ids) if (!labels.has(id)) wanted.labels.add(id);
  }
  return { columns: [...wanted.columns], people: [...wanted.people], labels: [...wanted.labels] };
}

/** Reads names. Remembers them if they are of the access version at which the workspace was admitted. */
async function readMissing(db: Db, workspace: Workspace, wanted: Wanted): Promise<Names> {
  const { version, ...found } = await readNames(db, workspace.id, wanted);
  const read = newNames();
  const kept = version === versions.get(workspace) ? namesToKeep(workspace) : null;
  const keep = <Name>(kind: (names: Names) => Map<string, Name>, id: string, name: Name) => {
    kind(read).set(id, name);
    if (kept) count++;
    if (kept) kind(kept).set(id, name);
  };
  const columns = new Map(found.columns.map(({ id, name }) => [id, name]));
  for (const id of wanted.columns) keep((names) => names.columns, id, columns.get(id) ?? null);
  const labels = new Map(found.labels.map((label) => [label.id, inOurForm(label)]));
  for (const id of wanted.labels) keep((names) => names.labels, id, labels.get(id) ?? null);
  for (const { id, name, kind, is_member } of found.people) {
    if (is_member) keep((names) => names.people, id, { name, kind });
    // A new name of somebody who left does not change the access version.
    else read.people.set(id, { name, kind });
  }
  return read;
}

function namesToKeep(workspace: Workspace): Names {
  if (count > MOST) {
    remembered = new WeakMap();
    count = 0;
  }
  const names = remembered.get(workspace) ?? newNames();
  remembered.set(workspace, names);
  return names;
}

const inOurForm = ({ created_at, updated_at, ...label }: LabelRow): LabelRow => ({
  ...label,
  created_at: instantOfJson(created_at),
  updated_at: instantOfJson(updated_at),
});
