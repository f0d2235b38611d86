import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import { refuseField } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { minutesOf } from "./entries.sql.ts";

/** Nobody but an admin takes back minutes that somebody else logged. The issue is locked. */

/**
 * Checks minutes that are taken back in the name of an author.
 * @param minutes what an entry adds; negative if it takes back
 * @throws Refusal validation_failed
 */
export async function checkTakenBack(ctx: InIssue, authorId: string, minutes: number, path: string): Promise<void> {
  if (minutes >= 0 || isAdmin(ctx.principal.role)) return;
  const { own } = await minutesOf(ctx, authorId);
  if (own + minutes >= 0) return;
  refuseField(path, "too_small", "takes back more than you logged; only an admin may take back others' minutes", {
    minimum: Math.min(0, -own),
  });
}

/**
 * Checks a total that is set as a whole, or that follows from minutes that are logged.
 * @param logged minutes that an entry adds to the total; none if the total is set
 * @throws Refusal validation_failed
 */
export async function checkTotal(
  ctx: InIssue,
  issue: Pick<IssueRow, "spent_minutes">,
  total: number | null,
  logged?: { minutes: number; path: string },
): Promise<void> {
  const before = issue.spent_minutes ?? 0;
  if ((total ?? 0) >= before || isAdmin(ctx.principal.role)) return;
  const { others } = await minutesOf(ctx, ctx.principal.user_id);
  const minimum = Math.min(others, before);
  if ((total ?? 0) >= minimum) return;
  refuseField(
    logged?.path ?? "/spent_minutes",
    "too_small",
    "takes back minutes that others logged; only an admin may",
    {
      minimum: logged ? minimum - before : minimum,
    },
  );
}
