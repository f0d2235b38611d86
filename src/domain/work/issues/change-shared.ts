import type { InIssue } from "../../access/identity/issue-row.ts";
import { versionOf } from "../../access/identity/names.ts";
import { surelyFits } from "../../events/bounded.ts";
import { resolveMentions } from "../../events/mentions.ts";
import { justAfter } from "../../events/unit-of-work.ts";
import type { Recording, Sharing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { NotShared, type SharedWrite } from "../../kernel/lanes.ts";
import type { Recorded } from "../../kernel/recorded.ts";
import { Written } from "../../kernel/written.ts";
import { checkFieldPolicy } from "./allowed-fields.ts";
import type { FullIssue } from "./change.sql.ts";
import { changeShared, PLAIN_COLUMNS, type SharedChange, TEXT_COLUMNS } from "./change-shared.sql.ts";
import { differing } from "./changes-for.ts";
import { recordComparedIssue } from "./history.ts";
import type { IssuePatchInput } from "./inputs.ts";
import { plainChanges } from "./plain-changes.ts";
import { type IssueView, labelsOf, viewOf } from "./view.ts";

/**
 * Changes of different issues of a workspace that arrive at the same time share a statement and its commit. A change is
 * computed from the issue as the call found it, and stored only if that is still true. That saves the trip that locks it.
 */

const PLAIN: ReadonlySet<string> = new Set([...PLAIN_COLUMNS, ...TEXT_COLUMNS, "if_version"]);

/** Whether a body, as it was sent, changes only what is stored as it is sent and nothing else depends on. */
export const isPlainChange = (body: unknown): boolean => Object.keys(body ?? {}).every((field) => PLAIN.has(field));

/** @throws Refusal, NotShared */
export async function changeTogether(
  ctx: InIssue & Sharing,
  wanted: IssuePatchInput,
): Promise<IssueView | Written<IssueView>> {
  const { issue: before } = ctx;
  const state = stateOf(ctx, wanted.if_version);
  const changes = differing(before, plainChanges(wanted, before));
  checkFieldPolicy(ctx.principal, before, wanted, changes);
  if (Object.keys(changes).length === 0) return viewOf(ctx, before, labelsOf(before));
  const now = timeOfChange(ctx);
  const after = { ...before, ...changes, version: before.version + 1, updated_at: now };
  const { view, recorded } = recordedChange(ctx, before, after);
  await resolveMentions(ctx.db, recorded);

  const texts = TEXT_COLUMNS.some((column) => column in changes);
  const { title, description_md } = after;
  const item: SharedChange = {
    ...state,
    ...eventsOf(recorded),
    now,
    priority: after.priority,
    estimate_minutes: after.estimate_minutes,
    story_points: after.story_points,
    completion_pct: after.completion_pct,
    start_at: after.start_at,
    start_on: after.start_on,
    due_at: after.due_at,
    due_on: after.due_on,
    ...(texts ? { title, description_md } : {}),
  };
  if (!(await ctx.shared.together(writeTo(ctx, texts), item))) throw new NotShared();
  return new Written(view, item.json);
}

/**
 * The issue as the call found it, if a change of it can be shared.
 * @throws NotShared, Refusal version_conflict
 */
export function stateOf({ issue, workspace, project, actor, cause }: InIssue, ifVersion: number | undefined) {
  const { id, row_state, version } = issue;
  const access_version = versionOf(workspace);
  // Required fields without a value are warned of, and must be read for that.
  if (row_state === undefined || access_version === null || project.asks_fields) throw new NotShared();
  if (ifVersion !== undefined && ifVersion !== version) refuse("version_conflict", { version });
  return { id, row_state, access_version, actor, cause };
}

export const timeOfChange = ({ now, ports, issue }: InIssue): string =>
  [now, ports.clock(), justAfter(issue.updated_at)].sort().at(-1)!;

/** The events of a change that needs no names of further objects. Its time is that of `after`. */
export function recordedChange(ctx: InIssue, before: FullIssue, after: FullIssue) {
  const recording: InIssue & Recording = { ...ctx, recorded: [], audited: [], eventIds: [] };
  const view = recordComparedIssue(recording, before, after, new Map());
  return { view, recorded: recording.recorded };
}

/** @throws NotShared if the texts are long, and may be cut in the events */
export function eventsOf(recorded: Recorded[]) {
  const { data, previous, changed } = recorded[0]!;
  const json = JSON.stringify(data);
  if (!surelyFits(json, previous)) throw new NotShared();
  return {
    json,
    previous,
    changed,
    events: recorded.map(({ id, type, context }) => ({ id, type, context })),
    activity: recorded.flatMap(({ activity }) => activity.map((line) => ({ id: newId(), ...line }))),
  };
}

const writeTo = ({ workspace, issue }: InIssue, texts: boolean): SharedWrite<SharedChange, boolean> => ({
  lane: `changes ${texts ? "of texts " : ""}${workspace.id}`,
  part: null,
  run: (db, items) => changeShared(db, workspace.id, items, { texts }),
  lengthOf: ({ json }) => lengthOf(issue) + 2 * json.length,
});

export const lengthOf = ({ title, description_md }: Pick<IssueView, "title" | "description_md">): number =>
  title.length + (description_md?.length ?? 0);

/** Characters of an item besides its texts, which are in the issue, in its event, and perhaps in its state before. */
export const BASE_LENGTH = 2_000;
