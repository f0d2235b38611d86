import type { IssueRow } from "../../access/identity/issue-row.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { counted } from "../../kernel/counted.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import type { Project } from "../../kernel/rows.ts";
import { readBlockers } from "../links/blockers.sql.ts";
import { type Column, columnsOf } from "./board.sql.ts";
import { issueErrors } from "./errors.ts";

/** Columns of the board that issues may move to, and the rules of the board. */

export type Target = Pick<Column, "id" | "name" | "category">;

/** Reads the board's columns, once for all calls. */
export type ReadBoard = () => Promise<Column[]>;

export function boardOf(ctx: InProject): ReadBoard {
  let columns: Promise<Column[]> | undefined;
  return () => {
    columns ??= columnsOf(ctx.db, ctx.workspace.id, ctx.project.id);
    return columns;
  };
}

/** The column that a call asks for. If it names both, the id wins, unless both must agree. */
export type WantedColumn = { status?: Category; status_id?: string; must_agree?: boolean };

/**
 * Returns the column for a category or a column id: the issue's present column if it has that category, else the first
 * column of the category by rank to which the board's rules allow a move. If they allow none, returns the first one, which
 * `checkMove` refuses. Returns null if neither was sent.
 */
export async function columnFor<C extends Column>(
  { project }: InProject,
  board: () => Promise<C[]>,
  wanted: WantedColumn,
  current: { status_id: string | null } | null,
): Promise<C | null> {
  const { status, status_id } = wanted;
  if (status === undefined && status_id === undefined) return null;
  const columns = await board();
  if (status_id !== undefined) {
    const column =
      columns.find((c) => c.id === status_id) ?? refuseReference("/status_id", status_id, allowedColumns(columns));
    if (wanted.must_agree && status !== undefined && column.category !== status) {
      refuseReference("/status", status, { message: `The column ${column.name} has the category ${column.category}.` });
    }
    return column;
  }
  const ofCategory = columns.filter((column) => column.category === status);
  const from = current?.status_id ?? null;
  const allowed = allowedFrom(project, from);
  return (
    ofCategory.find(({ id }) => id === from) ??
    ofCategory.find(({ id }) => !allowed || allowed.includes(id)) ??
    ofCategory[0] ??
    refuseReference("/status", status, allowedColumns(columns))
  );
}

/** Returns the columns to which issues of a column may move; null for all. New issues have no column yet. */
const allowedFrom = ({ transition_rules }: Project, statusId: string | null): string[] | null =>
  statusId === null ? null : (own(transition_rules ?? {}, statusId) ?? null);

const allowedColumns = (columns: Column[]) => ({
  allowed: columns.map(({ id, name, category }) => ({ id, name, category })),
});

/** Returns the column for new issues: the project's default column, else the first column of the board. */
export async function defaultColumn({ project }: InProject, board: ReadBoard): Promise<Target> {
  if (project.default_column) return project.default_column;
  const [first] = await board();
  return first ?? refuseReference("/status", null, { message: "The board has no column." });
}

/**
 * Checks the board's rules for an issue that moves, or that is new (`status_id` is null). `others` is the number of
 * issues that arrive in the column with it. Adds a warning where the project only warns.
 */
export async function checkMove(
  ctx: InProject,
  issue: Pick<IssueRow, "id" | "status_id" | "open_blocker_count">,
  to: Column,
  others = 0,
): Promise<void> {
  const { project } = ctx;
  if (issue.status_id === to.id) return;

  const allowed = allowedFrom(project, issue.status_id);
  if (allowed && !allowed.includes(to.id)) {
    refuse(issueErrors.transition_not_allowed, {
      message:
        allowed.length === 0
          ? "The board allows no move out of this column. Allow one in the project's transition_rules, or remove the column's entry there."
          : `The board does not allow a move to ${to.name} from here.`,
      allowed,
    });
  }
  checkWip(ctx, to, others + 1);
  if (issue.open_blocker_count > 0 && ["in_progress", "in_review", "done"].includes(to.category)) {
    await checkBlockers(ctx, issue);
  }
}

/** Refuses or warns, as the project has set it. The keys are those that all readers of the reply or effect may see. */
async function checkBlockers(
  ctx: InProject,
  { id, open_blocker_count: open_blockers }: Pick<IssueRow, "id" | "open_blocker_count">,
): Promise<void> {
  const blocked_by = (await readBlockers(ctx, [id])).map(({ key }) => key);
  const details = { open_blockers, blocked_by };
  if (ctx.project.enforce_blockers) refuse(issueErrors.open_blockers, details);
  const named = blocked_by.length > 0 ? `: ${blocked_by.join(", ")}` : "";
  const message = `Open issues block this issue${named}.`;
  ctx.warnings.push({ code: "open_blockers", message, ...details });
}

/**
 * Returns how a project treats the limits of columns. They do not apply to forms, because strangers who submit one
 * cannot make room in a column.
 */
export const wipModeOf = ({ principal, project }: InProject): Project["wip_mode"] =>
  principal.kind === "form" ? "off" : project.wip_mode;

/** Checks a column's limit for the last of `arriving` issues. @throws Refusal wip_limit_exceeded */
export function checkWip(ctx: InProject, to: Column, arriving: number): void {
  const wip_mode = wipModeOf(ctx);
  if (wip_mode === "off" || to.wip_limit === null || to.issue_count + arriving <= to.wip_limit) return;
  const occupied = to.issue_count + arriving - 1;
  const details = { status_id: to.id, limit: to.wip_limit, issue_count: occupied };
  const message = `${to.name} already has ${counted(occupied, "issue")}. Its limit is ${to.wip_limit}.`;
  if (wip_mode === "enforce") refuse(issueErrors.wip_limit_exceeded, { message, ...details });
  ctx.warnings.push({ code: "wip_limit_exceeded", message, ...details });
}
