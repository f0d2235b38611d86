import type { IssueRow } from "../../access/identity/issue-row.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import type { Project } from "../../kernel/rows.ts";
import { type Column, columnsOf } from "./board.sql.ts";
import { issueErrors } from "./errors.ts";

/** Where issues may go on the board, and the board's rules. */

export type Target = Pick<Column, "id" | "name" | "category">;

/** Reads the board's columns, once however often it is asked. */
export type ReadBoard = () => Promise<Column[]>;

export function boardOf(ctx: InProject): ReadBoard {
  let columns: Promise<Column[]> | undefined;
  return () => {
    columns ??= columnsOf(ctx.db, ctx.workspace.id, ctx.project.id);
    return columns;
  };
}

/**
 * The column that a category or a column id means: the present one if it has that category already, else the first of
 * the category by rank. Null when neither was sent.
 */
export async function columnFor(
  board: ReadBoard,
  wanted: { status?: Category; status_id?: string },
  current: { status_id: string | null } | null,
): Promise<Column | null> {
  const { status, status_id } = wanted;
  if (status === undefined && status_id === undefined) return null;
  const columns = await board();
  if (status_id !== undefined) {
    const column =
      columns.find((c) => c.id === status_id) ?? refuseReference("/status_id", status_id, allowedColumns(columns));
    if (status !== undefined && column.category !== status) {
      refuseReference("/status", status, { message: `The column ${column.name} has the category ${column.category}.` });
    }
    return column;
  }
  const kept = columns.find((c) => c.id === current?.status_id && c.category === status);
  return (
    kept ?? columns.find((c) => c.category === status) ?? refuseReference("/status", status, allowedColumns(columns))
  );
}

const allowedColumns = (columns: Column[]) => ({
  allowed: columns.map(({ id, name, category }) => ({ id, name, category })),
});

/** The column of new issues: the project's default one, else the board's first. */
export async function defaultColumn({ project }: InProject, board: ReadBoard): Promise<Target> {
  if (project.default_column) return project.default_column;
  const [first] = await board();
  return first ?? refuseReference("/status", null, { message: "The board has no column." });
}

/**
 * Checks the board's rules for an issue that moves, or is new with a null `status_id`, and counts it to the `others`
 * that come into the column with it. What is only to be warned of goes beside the reply.
 */
export function checkMove(
  ctx: InProject,
  issue: Pick<IssueRow, "status_id" | "open_blocker_count">,
  to: Column,
  others = 0,
): void {
  const { project } = ctx;
  if (issue.status_id === to.id) return;

  const allowed = issue.status_id === null ? null : (own(project.transition_rules ?? {}, issue.status_id) ?? null);
  if (allowed && !allowed.includes(to.id)) {
    refuse(issueErrors.transition_not_allowed, {
      message: `The board does not allow a move to ${to.name} from here.`,
      allowed,
    });
  }
  checkWip(ctx, to, others + 1);
  if (
    project.enforce_blockers &&
    issue.open_blocker_count > 0 &&
    ["in_progress", "in_review", "done"].includes(to.category)
  ) {
    refuse(issueErrors.open_blockers, { open_blockers: issue.open_blocker_count });
  }
}

/** How a project treats column limits. They do not bind forms: strangers who fill one in cannot make room in a column. */
export const wipModeOf = ({ principal, project }: InProject): Project["wip_mode"] =>
  principal.kind === "form" ? "off" : project.wip_mode;

/** Checks a column's limit for the last of `arriving` issues. @throws Refusal wip_limit_exceeded */
export function checkWip(ctx: InProject, to: Column, arriving: number): void {
  const wip_mode = wipModeOf(ctx);
  if (wip_mode === "off" || to.wip_limit === null || to.issue_count + arriving <= to.wip_limit) return;
  const held = to.issue_count + arriving - 1;
  const details = { status_id: to.id, limit: to.wip_limit, issue_count: held };
  const message = `${to.name} holds ${held} of at most ${to.wip_limit} issues.`;
  if (wip_mode === "enforce") refuse(issueErrors.wip_limit_exceeded, { message, ...details });
  ctx.warnings.push({ code: "wip_limit_exceeded", message, ...details });
}
