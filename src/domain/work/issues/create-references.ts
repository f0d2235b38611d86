import type { InProject } from "../../kernel/context.ts";
import { Refusal } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { isSharing } from "./create-shared.ts";
import type { IssueCreateInput } from "./inputs.ts";
import { type Found, find } from "./references.sql.ts";

/** What the bodies of create calls name. */

/**
 * Looks up all objects that the inputs name.
 * @param attempt.isFirst the caller's rights have just been read
 */
export async function findNamedBy(
  ctx: InProject,
  inputs: (IssueCreateInput | Refusal)[],
  { isFirst }: { isFirst: boolean },
): Promise<Found> {
  const { db, workspace, project, principal } = ctx;
  const wanted = wantedBy(ctx, inputs);
  const caller = isFirst && isSharing(ctx) ? onlyCaller(ctx, wanted.people) : null;
  const asked = caller ? { ...wanted, people: [] } : wanted;
  const found = await find(db, { workspaceId: workspace.id, project, principal }, asked);
  return caller ? { ...found, people: caller } : found;
}

/**
 * The caller, if nobody else is named. The call was admitted to the project, so the caller sees it, and needs not be
 * looked up. Whoever left meanwhile is refused by a trigger, and is looked up by the next attempt.
 */
function onlyCaller({ principal }: InProject, people: string[]): Found["people"] | null {
  const { user_id: id, user_kind, user_name: name } = principal;
  if (people.length === 0 || !people.every((ref) => ["me", id].includes(referenceKey(ref)))) return null;
  const caller = { id, name, kind: user_kind === "agent" ? user_kind : ("user" as const) };
  return new Map([
    ["me", caller],
    [id, caller],
  ]);
}

function wantedBy(ctx: InProject, inputs: (IssueCreateInput | Refusal)[]) {
  const good = inputs.filter((input) => !(input instanceof Refusal));
  const all = <T>(pick: (input: IssueCreateInput) => (T | null | undefined)[]) =>
    unique(good.flatMap(pick).filter((value) => value !== null && value !== undefined)) as T[];
  const fallback = ctx.project.default_assignee_id;
  return {
    people: all<string>((i) => [i.assignee, ...(i.assignee_ids ?? []), i.reporter, ...(i.watcher_ids ?? []), fallback]),
    labels: all<string>((i) => i.labels ?? []),
    issues: all<string>((i) => [i.parent, i.epic, i.before, i.after]).filter((ref) => !ref.startsWith("#")),
    milestones: all<string>((i) => [i.milestone_id]),
    sprints: all<string>((i) => [i.sprint_id]),
    releases: all<string>((i) => [i.release_id]),
  };
}

const unique = <T>(values: T[]): T[] => [...new Set(values)];
