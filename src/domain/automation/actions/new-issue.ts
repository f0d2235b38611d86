import type { z } from "zod";
import type { InWorkspace } from "../../kernel/context.ts";
import { referenceKey } from "../../kernel/ids.ts";
import type { Project } from "../../kernel/rows.ts";
import { singleLine } from "../../kernel/text.ts";
import type { IssueCreateInput } from "../../work/issues/inputs.ts";
import { find } from "../../work/issues/references.sql.ts";
import type { Running } from "./action.ts";
import type { Problem } from "./define.ts";
import { missing } from "./references.ts";
import { markdown, pathProblems, plainText } from "./texts.ts";

/** The fields of an issue that an action creates. */

type Fields = z.output<typeof IssueCreateInput>;

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 65_536;
const MAX_REFERENCE = 320;

/** Fields in which paths are replaced. Relatives may be the issue of the run: `{{issue.key}}`. */
const FILLED = ["title", "description_md", "parent", "epic"] as const;

/** The fields with values in the place of paths. */
export function filledFields(fields: Fields, running: Running): Fields {
  const reference = (ref: string | null | undefined) => (ref ? plainText(ref, running, MAX_REFERENCE) || null : ref);
  return {
    ...fields,
    title: singleLine(plainText(fields.title, running, MAX_TITLE)),
    description_md: fields.description_md && markdown(fields.description_md, running, MAX_DESCRIPTION),
    parent: reference(fields.parent),
    epic: reference(fields.epic),
  };
}

/** Problems of paths in the fields' texts. */
export const fieldPathProblems = (fields: Fields): Problem[] =>
  FILLED.flatMap((name) => pathProblems(`/issue/${name}`, fields[name]));

/** Problems of the family that the new issue would have. */
export const familyProblems = ({ type, parent }: Fields): Problem[] =>
  type === "subtask" && !parent
    ? [{ path: "/issue/parent", code: "required", message: "is required for a subtask, e.g. {{issue.key}}" }]
    : [];

/** Problems of fields that name objects, if the project of the new issue is known. */
export async function fieldProblems(ctx: InWorkspace, project: Project, fields: Fields): Promise<Problem[]> {
  const named = namedBy(fields);
  const of = (...kinds: Kind[]) => named.filter(({ kind }) => kinds.includes(kind)).map(({ ref }) => ref);
  const at = { workspaceId: ctx.workspace.id, project, principal: ctx.principal };
  const found = await find(ctx.db, at, {
    people: of("person"),
    labels: of("label"),
    issues: of("issue"),
    milestones: of("milestone_id"),
    sprints: of("sprint_id"),
    releases: of("release_id"),
  });
  const has: Record<Kind, (ref: string) => boolean> = {
    person: (ref) => found.people.has(referenceKey(ref)),
    label: (ref) => found.labels.has(referenceKey(ref)),
    issue: (ref) => found.issues.has(referenceKey(ref)),
    milestone_id: (ref) => found.planning.milestone_id.has(ref),
    sprint_id: (ref) => found.planning.sprint_id.has(ref),
    release_id: (ref) => found.planning.release_id.has(ref),
  };
  return named.filter(({ kind, ref }) => !has[kind](ref)).map(({ path, kind }) => missing(path, WORDS[kind]));
}

type Kind = "person" | "label" | "issue" | "milestone_id" | "sprint_id" | "release_id";
const WORDS: Record<Kind, string> = {
  person: "member or agent",
  label: "label",
  issue: "issue",
  milestone_id: "milestone",
  sprint_id: "sprint",
  release_id: "release",
};

/** Names with paths are known only when the action runs. */
function namedBy(fields: Fields): { path: string; kind: Kind; ref: string }[] {
  const { assignee, assignee_ids, reporter, watcher_ids, labels, parent, epic, milestone_id, sprint_id, release_id } =
    fields;
  const one = (kind: Kind, field: string, ref: string | null | undefined) =>
    ref && !ref.includes("{{") ? [{ path: `/issue/${field}`, kind, ref }] : [];
  const list = (kind: Kind, field: string, refs: readonly string[] = []) =>
    refs.flatMap((ref, n) => one(kind, `${field}/${n}`, ref));
  return [
    ...one("person", "assignee", assignee),
    ...list("person", "assignee_ids", assignee_ids),
    ...one("person", "reporter", reporter),
    ...list("person", "watcher_ids", watcher_ids),
    ...list("label", "labels", labels),
    ...one("issue", "parent", parent),
    ...one("issue", "epic", epic),
    ...one("milestone_id", "milestone_id", milestone_id),
    ...one("sprint_id", "sprint_id", sprint_id),
    ...one("release_id", "release_id", release_id),
  ];
}
