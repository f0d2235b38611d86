import type { InIssue } from "../../access/identity/issue-row.ts";
import { timezoneOfPerson } from "../../access/identity/timezones.sql.ts";
import { recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuseField } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { dayIn } from "../../kernel/locale.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { checkAuthor } from "../comments/write-body.ts";
import { readIssue } from "../issues/change.sql.ts";
import { change } from "../issues/change.ts";
import type { Change } from "../issues/changes-for.ts";
import { issueUpdated } from "../issues/events.ts";
import { lockLive, lockLiveIssue } from "../issues/lock-live.ts";
import { labelsOf, viewOf } from "../issues/view.ts";
import {
  deleteEntry,
  type Entry,
  type EntryRow,
  findEntry,
  insertEntry,
  minutesOf,
  readEntries,
  updateEntry,
} from "./entries.sql.ts";
import type { Log, TimeEntryPatchInput } from "./inputs.ts";
import { loweredBy } from "./logged.ts";
import { checkTakenBack } from "./own-minutes.ts";
import type { TimeEntryView } from "./view.ts";

/** Single entries of an issue's time log. What they add to the issue changes with them, under its lock. */

/** Returns a page of entries, newest first. */
export async function listPage(ctx: InIssue, paging: Paging) {
  return pageOf(await readEntries(ctx, paging.limit + 1, paging.after), paging, (row) => [row.id]);
}

export async function read(ctx: InIssue, text: string): Promise<TimeEntryView | null> {
  const id = readId(text);
  return id === null ? null : findEntry(ctx, id);
}

/** Locks the issue, and returns the entry. */
export async function byId(ctx: InIssue & Writing, text: string): Promise<EntryRow | null> {
  const id = readId(text);
  if (!id) return null;
  await lockLive(ctx);
  return findEntry(ctx, id);
}

/**
 * Adds an entry, together with other changes of the issue's time.
 * @param path where the body has the entry
 * @throws Refusal validation_failed
 */
export async function addEntry(
  ctx: InIssue & Writing,
  { minutes, note, spent_on }: Log,
  path = "",
  wanted: Change = {},
): Promise<TimeEntryView> {
  const { user_id: author_id, user_kind } = ctx.principal;
  const issue = await lockLiveIssue(ctx);
  checkDay(ctx, spent_on, `${path}/spent_on`);
  await checkTakenBack(ctx, author_id, minutes, `${path}/minutes`);
  const ofAgent = user_kind === "agent";
  await change(ctx, { ...wanted, log: { minutes, ofAgent, path: `${path}/minutes` } });
  const id = newId();
  const entry = { minutes, note: note || null, spent_on: spent_on ?? (await todayOf(ctx)) };
  await insertEntry(ctx, id, entry, wanted.remaining_minutes === undefined ? loweredBy(issue, minutes) : 0);
  return { id, author_id, ...entry };
}

/**
 * Corrects an entry.
 * @param entry of the locked issue
 * @throws Refusal not_owner_of_resource, validation_failed
 */
export async function edit(
  ctx: InIssue & Writing,
  entry: EntryRow,
  wanted: TimeEntryPatchInput,
): Promise<TimeEntryView> {
  checkAuthor(ctx, entry);
  const { id, author_id, of_agent } = entry;
  const next = {
    minutes: wanted.minutes ?? entry.minutes,
    note: wanted.note === undefined ? entry.note : wanted.note || null,
    spent_on: wanted.spent_on ?? entry.spent_on,
  };
  const after = { id, author_id, ...next };
  if (isSame(entry, next)) return after;
  if (next.spent_on !== entry.spent_on) checkDay(ctx, next.spent_on, "/spent_on");
  const added = next.minutes - entry.minutes;
  await checkTakenBack(ctx, author_id, added, "/minutes");
  const used = added === 0 ? 0 : next.minutes - entry.lowered_minutes;
  const lowered = await countEntry(ctx, entry, { minutes: added, ofAgent: of_agent, used });
  await updateEntry(ctx, id, next, entry.lowered_minutes + lowered);
  return after;
}

/**
 * Deletes an entry, and takes its minutes back.
 * @param entry of the locked issue
 * @throws Refusal not_owner_of_resource, validation_failed if the author has taken them back by a later entry
 */
export async function remove(ctx: InIssue & Writing, entry: EntryRow): Promise<{ id: string; deleted: true }> {
  checkAuthor(ctx, entry);
  const { id, author_id, minutes, of_agent } = entry;
  await checkTakenBack(ctx, author_id, -minutes, "/minutes");
  await deleteEntry(ctx, id);
  await countEntry(ctx, entry, { minutes: -minutes, ofAgent: of_agent, used: -entry.lowered_minutes });
  return { id, deleted: true };
}

/**
 * Adds what changed to the issue. If that changes none of its fields, the event says that an entry changed. Returns by how
 * many minutes the remaining time went down.
 */
async function countEntry(
  ctx: InIssue & Writing,
  { id: entryId, author_id }: EntryRow,
  added: { minutes: number; ofAgent: boolean; used: number },
): Promise<number> {
  const before = await readIssue(ctx, ctx.issue.id);
  const { others: atLeast } = await minutesOf(ctx, author_id);
  if (added.minutes !== 0) await change(ctx, { log: { ...added, path: "/minutes", atLeast } });
  const issue = await readIssue(ctx, ctx.issue.id);
  const lowered = loweredBy(before, added.used);
  if (issue.version !== before.version) return lowered;
  recordChange(ctx, issueUpdated, {}, viewOf(ctx, issue, labelsOf(issue)), {
    issue_id: issue.id,
    unseen: ["time_entries"],
    activity: [{ kind: "updated", payload: { field: "time_entries", entry_id: entryId } }],
  });
  return lowered;
}

/** The day that it is for the author. */
const todayOf = async ({ db, workspace, principal, now }: InIssue): Promise<string> =>
  dayIn(now, await timezoneOfPerson(db, workspace.id, principal.user_id));

/** The zone whose clocks are furthest ahead of UTC. */
const MOST_AHEAD_HOURS = 14;

/** Checks that a day has begun somewhere on earth. */
function checkDay({ now }: InIssue, day: string | undefined, path: string): void {
  const maximum = new Date(Date.parse(now) + MOST_AHEAD_HOURS * 3_600_000).toISOString().slice(0, 10);
  if (day !== undefined && day > maximum) refuseField(path, "too_large", "must not be in the future", { maximum });
}

const isSame = (entry: Entry, { minutes, note, spent_on }: Entry): boolean =>
  entry.minutes === minutes && entry.note === note && entry.spent_on === spent_on;
