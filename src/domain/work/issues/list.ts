import { z } from "zod";
import { ISSUE_TYPES, PRIORITIES, PRIORITY_SYNONYMS } from "../../access/identity/issue-row.ts";
import { nameIssues } from "../../access/identity/names.ts";
import type { InProject, InWorkspace } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { Refusal, refuse } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import { bytesOfTexts, type Paging, pageOf } from "../../kernel/paging.ts";
import type { Project } from "../../kernel/rows.ts";
import { termsOfList } from "../../kernel/search-terms.ts";
import { dayOrInstant } from "../../kernel/whole-days.ts";
import { flag, instant } from "../../kernel/wire.ts";
import { readFieldFilters } from "../fields/filter.ts";
import { activeSprint } from "./board.sql.ts";
import { aboutIssueList } from "./descriptions.ts";
import { dueBefore, planned, refuseUnknown } from "./filter-names.ts";
import { issuesIn, peopleIn } from "./filter-values.ts";
import { isPlainList, type ListedIssue, type ListOptions, listIssues, listShown } from "./list.sql.ts";
import type { ListFilter } from "./list-conditions.sql.ts";
import { copiedPage, SHORT_FIELDS } from "./list-copied.ts";
import { readViewFilter, type Wanted, wantedOf } from "./list-filter.ts";
import { LIST_ORDERS, SORTS } from "./orders.ts";
import { readinessFor } from "./ready.ts";
import { find } from "./references.sql.ts";
import { statusFilter } from "./status-filter.ts";
import { viewOf } from "./view.ts";
import { issueWriter } from "./written.ts";
import { wrongValue } from "./wrong-value.ts";

const list = z.string().max(2_000);

/** Filters of the issue list. A comma separates values; `\,` is a comma within a name. */
export const IssueListQuery = inputPart(aboutIssueList, {
  status: list.optional(),
  assignee: list.optional(),
  reporter: list.optional(),
  label: list.optional(),
  priority: list.optional(),
  type: list.optional(),
  sprint: list.optional(),
  milestone: list.optional(),
  release: list.optional(),
  parent: list.optional(),
  epic: list.optional(),
  q: z.string().trim().max(200).optional(),
  customFields: z.record(z.string().max(200), list).meta({ maxProperties: 20 }).optional(),
  due_before: dayOrInstant.optional(),
  updated_since: instant.optional(),
  ready: flag.optional(),
  archived: flag.optional(),
  view: list.optional(),
  sort: z.enum(SORTS).optional(),
});
export type IssueListQuery = z.output<typeof IssueListQuery>;

/** The filters alone, for calls that are about the issues of the list. */
export const IssueFilter = IssueListQuery.omit({ ready: true, archived: true, view: true, sort: true });
export type IssueFilter = z.output<typeof IssueFilter>;

/** What reading filters needs to know of their project. */
export type ForFilters = InWorkspace & { readonly project: Pick<Project, "id" | "key" | "scoped"> };

/** Checks filters that are stored for later. @throws Refusal invalid_parameter */
export async function checkFilters(ctx: ForFilters, query: IssueListQuery): Promise<void> {
  await readFilters(ctx, query);
}

/** Returns the filters of a query; null if one of them cannot match any issue. @throws Refusal invalid_parameter */
export const readFilters = (ctx: ForFilters, query: IssueListQuery): Promise<ListFilter[] | null> =>
  filtersOf(ctx, wantedOf(query));

type PageQuery = IssueListQuery & { paging: Paging };

/** Returns a page of a project's issues. @throws Refusal invalid_parameter */
export async function listPage(ctx: InProject, query: PageQuery) {
  const { rows, next_cursor } = await readPage(ctx, query.paging, await listOf(ctx, query), listIssues);
  return { rows: rows.map((row) => viewOf(ctx, row, row.labels)), next_cursor };
}

/** The same page as JSON, which is written when it is taken. @throws Refusal invalid_parameter */
export async function writtenPage(ctx: InProject, query: PageQuery) {
  const list = await listOf(ctx, query);
  if (list && isPlainList(list.filters, list.options)) return copiedPage(ctx, query.paging, list);
  const { rows, next_cursor } = await readPage(ctx, query.paging, list, listShown);
  return { texts: written(rows, issueWriter(ctx)), next_cursor };
}

function* written<Row>(rows: readonly Row[], write: (row: Row) => string): Generator<string> {
  for (const row of rows) yield write(row);
}

/** A list, and what its cursors end with: the mark of its view. */
export type IssueList = { filters: ListFilter[]; options: ListOptions; mark: string[] };

/** Returns the list that a query asks for. Null if it cannot have any issue. @throws Refusal invalid_parameter */
async function listOf(ctx: InProject, query: PageQuery): Promise<IssueList | null> {
  const asked = wantedOf(query);
  const view = query.view ? await readViewFilter(ctx, query.view) : null;
  const filters = await filtersOf(ctx, asked);
  const more = view && (await filtersOfView(ctx, view.wanted, asked, filters ?? []));
  if (filters === null || (view && (view.matchesNone || !more))) return null;
  const sort = query.sort ?? view?.sort ?? "rank";
  const { after } = query.paging;
  // The view's filter or order may have changed since the last page.
  if (after && after[2] !== view?.mark) refuse("cursor_mismatch", { parameter: "cursor" });
  const readiness = query.ready ? await readinessFor(ctx, ctx.principal.user_id) : undefined;
  const ready = query.ready === "true" ? readiness : undefined;
  const others: ListFilter[] =
    readiness && !ready ? [{ column: "ready", any: ["false"], none: false, notReady: readiness }] : [];
  return {
    filters: [...filters, ...(more ?? []), ...others],
    options: { sort, archived: query.archived === "true", ready, after, limit: query.paging.limit + 1 },
    mark: view ? [view.mark] : [],
  };
}

async function readPage<Row extends ListedIssue>(
  ctx: InProject,
  paging: Paging,
  list: IssueList | null,
  listRows: (...args: Parameters<typeof listIssues>) => Promise<Row[]>,
) {
  if (!list) return { rows: [], next_cursor: null };
  const { filters, options, mark } = list;
  const { sort } = options;
  const rows = await listRows(ctx.db, ctx.workspace.id, ctx.project.id, filters, options);
  const page = pageOf(rows, paging, (row) => [LIST_ORDERS[sort].of(row), row.id, ...mark], bytesOf);
  return { rows: await nameIssues(ctx.db, ctx.workspace, page.rows), next_cursor: page.next_cursor };
}

/** The fields that may be long. */
const bytesOf = ({ title, description_md, custom_fields }: ListedIssue): number =>
  SHORT_FIELDS + bytesOfTexts([title, description_md, custom_fields]);

/**
 * Returns the view's filters, except those that a parameter of the call replaces.
 * @param filters what was `asked`, with ids
 */
async function filtersOfView(ctx: InProject, wanted: Wanted, asked: Wanted, filters: ListFilter[]) {
  const left = Object.entries(wanted).filter(([name]) => name === "customFields" || !Object.hasOwn(asked, name));
  const replaced = new Set(filters.flatMap(({ field }) => field?.id ?? []));
  try {
    return await filtersOf(ctx, Object.fromEntries(left), { stored: true, except: replaced });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse("invalid_parameter", { message: `The view's filter: ${error.message}`, parameter: "view" });
  }
}

/**
 * Returns the filters as ids and values; null if one of them cannot match any issue.
 * @param stored whether they are those of a view, which names columns by id
 * @param except ids of custom fields to leave out
 */
async function filtersOf(
  ctx: ForFilters,
  query: Wanted,
  { stored = false, except }: { stored?: boolean; except?: ReadonlySet<string> } = {},
): Promise<ListFilter[] | null> {
  const fields = await readFieldFilters(ctx, query.customFields, except);
  const filters: ListFilter[] = fields.map((field) => ({
    column: "custom_fields",
    any: [...field.any, ...field.ranges.map(String)],
    none: field.none !== null,
    field,
  }));
  const wanted = {
    people: peopleIn(query).filter((ref) => !readId(ref)),
    labels: query.label ?? [],
    issues: issuesIn(query),
    milestones: [],
    sprints: [],
    releases: [],
    hidden: "all" as const,
  };
  const found =
    wanted.people.length + wanted.labels.length + wanted.issues.length === 0
      ? null
      : await find(ctx.db, { workspaceId: ctx.workspace.id, project: ctx.project, principal: ctx.principal }, wanted);
  if (!stored) await refuseUnknown(ctx, query, found);
  // An id is used as it is, so that issues of people who left the workspace are found.
  const person = (ref: string) => readId(ref) ?? found?.people.get(referenceKey(ref))?.id;
  const issue = (ref: string) => found?.issues.get(referenceKey(ref))?.id;

  const statuses = await statusFilter(ctx, query.status ?? [], stored);
  if (statuses) filters.push(...statuses);
  const add = (column: ListFilter["column"], values: string[], resolve: (ref: string) => string | undefined | null) => {
    if (values.length === 0) return;
    const ids = values
      .filter((value) => value !== "none")
      .map(resolve)
      .filter((id) => id !== undefined && id !== null);
    filters.push({ column, any: [...new Set(ids)], none: values.includes("none") });
  };
  add("assignee_ids", query.assignee ?? [], person);
  add("reporter_id", query.reporter ?? [], person);
  add("label_ids", query.label ?? [], (ref) => found?.labels.get(referenceKey(ref))?.id);
  add("priority", choices("priority", query.priority ?? [], PRIORITIES, PRIORITY_SYNONYMS), same);
  add("type", choices("type", query.type ?? [], ISSUE_TYPES, {}), same);
  const sprints = await planned(ctx, "sprint", query.sprint, ["active", "none"]);
  // Looked up first, so that the index returns the sprint's issues in order. If no sprint is active, nothing matches.
  const active = sprints.includes("active") ? await activeSprint(ctx.db, ctx.workspace.id, ctx.project.id) : null;
  add("sprint_id", sprints, (id) => (id === "active" ? (active ?? undefined) : id));
  add("milestone_id", await planned(ctx, "milestone", query.milestone, ["none"]), same);
  add("release_id", await planned(ctx, "release", query.release, ["none"]), same);
  add("parent_id", query.parent ?? [], issue);
  add("epic_id", query.epic ?? [], issue);
  if (query.q) {
    const here = { slug: ctx.workspace.slug, baseUrl: ctx.settings.baseUrl };
    filters.push({ column: "search", any: [JSON.stringify(termsOfList(query.q, here))], none: false });
  }
  if (query.due_before) filters.push(await dueBefore(ctx, query.due_before));
  if (query.updated_since) filters.push({ column: "updated_at", any: [query.updated_since], none: false });
  return filters.some((filter) => filter.any.length === 0 && !filter.none) ? null : filters;
}

const same = (value: string) => value;

function choices(
  parameter: string,
  values: string[],
  allowed: readonly string[],
  others: Record<string, string>,
): string[] {
  return values.map((value) => {
    const plain = value.toLowerCase().replace(/[\s-]+/g, "_");
    const choice = allowed.includes(plain) ? plain : own(others, plain);
    return choice ?? wrongValue(parameter, value, `one of ${allowed.join(", ")}`, allowed);
  });
}
