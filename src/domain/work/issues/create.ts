import { readWholeProject } from "../../access/identity/project-in-body.sql.ts";
import { storable } from "../../events/events.sql.ts";
import { resolveMentions } from "../../events/mentions.ts";
import { type About, authorship, eventFor } from "../../events/record.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import { extended, type InProject, type InWorkspace, nameItem, type Writing } from "../../kernel/context.ts";
import { Refusal, refuse } from "../../kernel/errors.ts";
import { lockBoard } from "../../kernel/locks.sql.ts";
import { mentionContext } from "../../kernel/mentions.ts";
import { fieldValuesOf, readForNew } from "../fields/of-issue.ts";
import { boardOf, wipModeOf } from "./columns.ts";
import {
  createIssues,
  isBoardChanged,
  isExternalIdTaken,
  isPlanningGone,
  type NewIssue,
  type Numbered,
  readProjectNow,
  takenExternalIds,
} from "./create.sql.ts";
import { findNamedBy } from "./create-references.ts";
import { createTogether, isPlain, isSharing } from "./create-shared.ts";
import { type Draft, draftOf } from "./draft.ts";
import { issueAssigned, issueCreated } from "./events.ts";
import type { IssueCreateInput, IssueInProjectInput } from "./inputs.ts";
import { hasPosition, type PositionInput, ranksAt } from "./ranks.ts";
import { type IssueView, urlOf, viewOf } from "./view.ts";

/** Creates one issue. @throws Refusal */
export async function create(ctx: InProject, input: IssueCreateInput): Promise<IssueView> {
  const [result] = await createAll(ctx, [input], { bulk: false });
  if (result instanceof Refusal) throw result;
  return result!;
}

/**
 * Creates an issue in the project that its body names, which the engine has checked.
 * @throws Refusal
 */
export async function createIn(
  ctx: InWorkspace & Writing,
  { project: _, ...input }: IssueInProjectInput,
  { id }: ProjectAccess,
): Promise<IssueView> {
  const project = await readWholeProject(ctx, id);
  return create(extended(ctx, { project: project ?? refuse("not_found") }), input);
}

/** Number of attempts if something changes between check and storage. */
const ATTEMPTS = 10;

/**
 * Creates any number of issues in one statement. Each item's result is its view or the reason why it was refused.
 * `parent: "#3"` (and `epic`) names the item with that index in the same call.
 */
export const createMany = (ctx: InProject, inputs: (IssueCreateInput | Refusal)[]): Promise<(IssueView | Refusal)[]> =>
  createAll(ctx, inputs, { bulk: true });

async function createAll(
  ctx: InProject,
  inputs: (IssueCreateInput | Refusal)[],
  call: { bulk: boolean },
): Promise<(IssueView | Refusal)[]> {
  const setsRank = inputs.some((input) => !(input instanceof Refusal) && hasPosition(input));
  if (setsRank && isWriting(ctx)) await lockBoard(ctx);
  const warned = ctx.warnings.length;
  for (let attempt = 1; ; attempt++) {
    try {
      return await checkAndStore(ctx, inputs, { ...call, isFirst: attempt === 1 });
    } catch (error) {
      const isStale = isBoardChanged(error) || isPlanningGone(error) || isExternalIdTaken(error);
      if (!isStale) throw error;
      if (attempt === ATTEMPTS) refuseBusy();
      ctx.warnings.length = warned;
      const { archived_at, ...now } = await readProjectNow(ctx.db, ctx.workspace.id, ctx.project.id);
      if (archived_at) refuse("archived", { archived_at });
      ctx = { ...ctx, project: { ...ctx.project, ...now } };
    }
  }
}

async function checkAndStore(
  ctx: InProject,
  inputs: (IssueCreateInput | Refusal)[],
  { bulk, isFirst }: { bulk: boolean; isFirst: boolean },
): Promise<(IssueView | Refusal)[]> {
  const found = await findNamedBy(ctx, inputs, { isFirst });
  const earlier: (Draft | Refusal)[] = [];
  const values = inputs.flatMap((input) => (input instanceof Refusal ? [] : fieldValuesOf(input.custom_fields)));
  const fields = await readForNew(ctx, values);
  const known = { found, fields, board: boardOf(ctx), earlier, taken: await externalIds(ctx, inputs) };
  for (const [index, input] of inputs.entries()) {
    const warned = ctx.warnings.length;
    earlier.push(input instanceof Refusal ? input : await draftOf(ctx, input, known));
    if (bulk) nameItem(ctx.warnings, warned, index);
  }
  const [relative] = found.issues.values();
  return store(ctx, earlier, relative?.family_revision ?? null);
}

function refuseBusy(): never {
  refuse("unavailable", {
    message: "The project is changing too often at the moment. Retry in a second.",
    headers: { "Retry-After": "1" },
  });
}

async function store(
  ctx: InProject,
  drafts: (Draft | Refusal)[],
  familyRevision: number | null,
): Promise<(IssueView | Refusal)[]> {
  const good = drafts.filter((draft): draft is Draft => !(draft instanceof Refusal));
  if (good.length === 0) return drafts as Refusal[];
  const at = {
    workspaceId: ctx.workspace.id,
    projectId: ctx.project.id,
    projectKey: ctx.project.key,
    urlPrefix: urlOf(ctx, `${ctx.project.key}-`),
    now: ctx.now,
    authorship: authorship(ctx),
    keepsLimits: wipModeOf(ctx) === "enforce",
    familyRevision,
  };
  const ranks = await ranksOf(ctx, good);
  const items = good.map((draft, ord) => newIssue(ctx, draft, ord, ranks.get(draft) ?? null));
  await resolveMentions(
    ctx.db,
    items.flatMap(({ events }) => events),
  );
  const numbered = await insert(ctx, at, items);
  noteEvents(ctx, items);

  let next = 0;
  return drafts.map((draft) => {
    if (draft instanceof Refusal) return draft;
    const { number, parent_number, epic_number, rank } = numbered[next++]!;
    return viewOf(
      ctx,
      { ...draft.row, number, parent_number, epic_number, rank, key: `${ctx.project.key}-${number}` },
      draft.labels,
    );
  });
}

function insert(ctx: InProject, at: Parameters<typeof createIssues>[1], items: NewIssue[]): Promise<Numbered[]> {
  if (isSharing(ctx)) {
    const [first] = items as [NewIssue];
    return items.length === 1 && isPlain(first)
      ? createTogether(ctx, at, first).then((numbered) => [numbered])
      : ctx.shared.alone((db) => createIssues(db, at, items));
  }
  const create = () => createIssues(ctx.db, at, items);
  // Inside a transaction, an error would roll back everything. So the statement gets a savepoint there.
  return isWriting(ctx) ? ctx.tx.savepoint(create) : create();
}

/** Whether a body of a create call, or an item of it, may have a position. Then the call needs a transaction. */
export function mayPlace(body: unknown): boolean {
  const { items } = (body ?? {}) as { items?: unknown };
  return [body, ...(Array.isArray(items) ? items : [])].some((item) => hasPosition((item ?? {}) as PositionInput));
}

const isWriting = (ctx: InProject): ctx is InProject & Writing => "tx" in ctx;

function noteEvents(ctx: InProject & { eventIds?: string[] }, items: NewIssue[]): void {
  ctx.eventIds?.push(...items.flatMap(({ events }) => events.map(({ id }) => id)));
}

/** Ranks of the drafts that request a position. All are computed together, so that no two are equal. */
async function ranksOf(ctx: InProject, drafts: Draft[]): Promise<Map<Draft, string>> {
  const positioned = drafts.flatMap((draft) => (draft.position ? [{ draft, position: draft.position }] : []));
  if (positioned.length === 0) return new Map();
  if (!isWriting(ctx)) throw new Error("Issues with a position are created in a transaction.");
  const ranks = await ranksAt(
    ctx,
    positioned.map(({ position }) => position),
    null,
  );
  return new Map(positioned.map(({ draft }, n) => [draft, ranks[n]!]));
}

function newIssue(
  ctx: InProject,
  { row, labels, values, watchers, parentIsNew }: Draft,
  ord: number,
  rank: string | null,
): NewIssue {
  const view = viewOf(ctx, row, labels);
  const happened = (event: typeof issueCreated | typeof issueAssigned, about: About) =>
    storable(eventFor(ctx, event, view, { ...about, issue_id: row.id }));
  const mentions = mentionContext(null, row.description_md);
  const events = [happened(issueCreated, { activity: [{ kind: "created", payload: {} }], ...mentions })];
  if (row.assignee_ids.length > 0) events.push(happened(issueAssigned, { context: { added: row.assignee_ids } }));
  const { parent_number, epic_number } = row;
  return {
    ...row,
    status_id: row.status_id!,
    ord,
    rank,
    parent_number: parentIsNew ? null : parent_number,
    epic_number,
    field_values: values,
    watcher_ids: watchers,
    events,
  };
}

async function externalIds(
  ctx: InProject,
  inputs: (IssueCreateInput | Refusal)[],
): Promise<Map<string, string | null>> {
  const pairs = inputs.flatMap((input) =>
    !(input instanceof Refusal) && input.external_source && input.external_id
      ? [{ source: input.external_source, id: input.external_id }]
      : [],
  );
  return pairs.length === 0 ? new Map() : takenExternalIds(ctx.db, ctx.workspace.id, ctx.project.id, pairs);
}
