import type { Priority } from "../../access/identity/issue-row.ts";
import { nameIssues } from "../../access/identity/names.ts";
import type { InProject } from "../../kernel/context.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import {
  byteText,
  idsOfPostgres,
  instantOfPostgres,
  jsonOfIds,
  jsonOfInstant,
  jsonOfJson,
  jsonOfText,
  jsonOfWord,
} from "../../kernel/row-texts.ts";
import { type IssueTexts, type ListOptions, listTexts } from "./list.sql.ts";
import { LIST_ORDERS } from "./orders.ts";
import { type IssueContext, urlOf } from "./view.ts";

/**
 * The list without filters, which is read most. It is copied from what Postgres sends to JSON without objects of the
 * issues: half of the time of a page would make them and write them again. A test compares it with the list of objects,
 * byte by byte.
 */

/** Returns a page of a plain list, in parts of JSON without brackets. */
export async function copiedPage(ctx: InProject, paging: Paging, { options, mark }: Asked) {
  const rows = await listTexts(ctx.db, ctx.workspace.id, ctx.project.id, options);
  const order = LIST_ORDERS[options.sort];
  const page = pageOf(rows, paging, (row) => [order.of(placeOf(row)), row.id, ...mark], bytesOf);
  const write = textWriter(ctx, await namesOf(ctx, page.rows));
  return { texts: inParts(page.rows, write), next_cursor: page.next_cursor };
}

type Asked = { options: ListOptions; mark: string[] };

/** Characters of a part: a millisecond. */
const PART = 256 * 1024;

function* inParts(rows: readonly IssueTexts[], write: (row: IssueTexts) => string): Generator<Uint8Array> {
  let part = "";
  for (const row of rows) {
    part += part === "" ? write(row) : `,${write(row)}`;
    if (part.length < PART) continue;
    yield Buffer.from(part, "latin1");
    part = "";
  }
  if (part !== "") yield Buffer.from(part, "latin1");
}

const bytesOf = ({ title, description_md, custom_fields }: IssueTexts): number =>
  SHORT_FIELDS + title.length + (description_md?.length ?? 0) + custom_fields.length;
export const SHORT_FIELDS = 1_000;

const placeOf = ({ rank, number, priority, due_at, created_at, updated_at }: IssueTexts) => ({
  rank,
  number: Number(number),
  priority: priority as Priority,
  due_at: due_at === null ? null : instantOfPostgres(due_at),
  created_at: instantOfPostgres(created_at),
  updated_at: instantOfPostgres(updated_at),
});

/** JSON of what issues refer to. Issues of a page mostly refer to the same, so each is written once. */
type Names = {
  /** By the column's id. */
  readonly columns: Map<string | null, string>;
  /** By the list of assignees. */
  readonly people: Map<string, { ids: string; first: string }>;
  /** By the list of labels. */
  readonly labels: Map<string, string>;
};

type Named = Awaited<ReturnType<typeof nameIssues>>[number];

async function namesOf(ctx: InProject, rows: readonly IssueTexts[]): Promise<Names> {
  const columnIds = new Set<string | null>();
  const people = new Set<string>();
  const labels = new Set<string>();
  for (const row of rows) {
    columnIds.add(row.status_id);
    people.add(row.assignee_ids);
    labels.add(row.label_ids);
  }
  const none = { status_id: null, assignee_ids: [], label_ids: [] };
  const named = await nameIssues(ctx.db, ctx.workspace, [
    ...[...columnIds].map((status_id) => ({ ...none, status_id })),
    ...[...people].map((ids) => ({ ...none, assignee_ids: idsOfPostgres(ids) })),
    ...[...labels].map((ids) => ({ ...none, label_ids: idsOfPostgres(ids) })),
  ]);
  let next = 0;
  const each = <Key, Text>(keys: Iterable<Key>, write: (named: Named, key: Key) => Text) =>
    new Map(Array.from(keys, (key) => [key, write(named[next++]!, key)]));
  return {
    columns: each(columnIds, ({ status_id, status_name }) => members({ status_id, status_name })),
    people: each(people, ({ assignee_ids, assignee_name, assignee_kind }) => ({
      ids: members({ assignee_id: assignee_ids[0] ?? null, assignees: assignee_ids }),
      first: members({ assignee_name, assignee_kind }),
    })),
    labels: each(labels, ({ labels }) => members({ labels })),
  };
}

/** Members of an object as JSON, without its braces. */
const members = (object: object): string => byteText(JSON.stringify(object).slice(1, -1));

/** Returns the function that writes an issue as `viewOf` shows it. */
function textWriter(ctx: IssueContext, names: Names) {
  const projectKey = byteText(JSON.stringify(ctx.project.key));
  const family = byteText(JSON.stringify(`${ctx.project.key}-`).slice(0, -1));
  const url = byteText(JSON.stringify(urlOf(ctx, "")).slice(0, -1));
  const keyOf = (number: string | null) => (number === null ? "null" : `${family}${number}"`);
  return (row: IssueTexts): string => {
    const people = names.people.get(row.assignee_ids)!;
    return `{"id":"${row.id}","key":"${row.key}","url":${url}${row.key}","number":${row.number},"type":"${row.type}","title":${jsonOfText(row.title)},"description_md":${jsonOfText(row.description_md)},"status":"${row.status}",${names.columns.get(row.status_id)!},"priority":"${row.priority}",${people.ids},"reporter_id":"${row.reporter_id}",${plansOf(row)},${names.labels.get(row.label_ids)!},${effortOf(row)},"created_at":${jsonOfInstant(row.created_at)},"updated_at":${jsonOfInstant(row.updated_at)},"project_id":"${row.project_id}","project_key":${projectKey},"parent_key":${keyOf(row.parent_number)},"epic_key":${keyOf(row.epic_number)},${people.first},"children":{"total":${row.child_count},"done":${row.child_done_count},"cancelled":${row.child_cancelled_count}},"custom_fields":${jsonOfJson(row.custom_fields)},"counts":{"comments":${row.comment_count},"attachments":${row.attachment_count},"links":${row.link_count},"watchers":${row.watcher_count}},"is_blocked":${row.open_blocker_count !== "0"},"rank":"${row.rank}","version":${row.version},${sourcesOf(row)},"created_by":"${row.created_by}","started_at":${jsonOfInstant(row.started_at)},"archived_reason":${jsonOfText(row.archived_reason)}}`;
  };
}

// Most issues have none of these: one text instead of many.

const plansOf = (row: IssueTexts): string =>
  row.parent_id === null &&
  row.epic_id === null &&
  row.milestone_id === null &&
  row.sprint_id === null &&
  row.release_id === null
    ? `"parent_id":null,"epic_id":null,"milestone_id":null,"sprint_id":null,"release_id":null`
    : `"parent_id":${jsonOfWord(row.parent_id)},"epic_id":${jsonOfWord(row.epic_id)},"milestone_id":${jsonOfWord(row.milestone_id)},"sprint_id":${jsonOfWord(row.sprint_id)},"release_id":${jsonOfWord(row.release_id)}`;

const effortOf = (row: IssueTexts): string =>
  row.estimate_minutes === null &&
  row.story_points === null &&
  row.spent_minutes === null &&
  row.completion_pct === null &&
  row.start_at === null &&
  row.due_at === null &&
  row.resolved_at === null &&
  row.archived_at === null
    ? `"estimate_minutes":null,"story_points":null,"spent_minutes":null,"completion_pct":null,"start_at":null,"start_on":null,"due_at":null,"due_on":null,"resolved_at":null,"archived_at":null`
    : `"estimate_minutes":${row.estimate_minutes},"story_points":${row.story_points},"spent_minutes":${row.spent_minutes},"completion_pct":${row.completion_pct},"start_at":${jsonOfInstant(row.start_at)},"start_on":${jsonOfWord(row.start_on)},"due_at":${jsonOfInstant(row.due_at)},"due_on":${jsonOfWord(row.due_on)},"resolved_at":${jsonOfInstant(row.resolved_at)},"archived_at":${jsonOfInstant(row.archived_at)}`;

const sourcesOf = (row: IssueTexts): string =>
  row.active_session_ids === "{}" &&
  row.active_workflow_run_id === null &&
  row.external_source === null &&
  row.external_id === null
    ? `"active_session_ids":[],"active_workflow_run_id":null,"external_source":null,"external_id":null`
    : `"active_session_ids":${jsonOfIds(row.active_session_ids)},"active_workflow_run_id":${jsonOfWord(row.active_workflow_run_id)},"external_source":${jsonOfText(row.external_source)},"external_id":${jsonOfText(row.external_id)}`;
