import { Refusal } from "../../kernel/errors.ts";
import { change } from "../../work/issues/change.ts";
import type { Change } from "../../work/issues/changes-for.ts";
import type { IssueView } from "../../work/issues/view.ts";
import type { Acting, Effect } from "./action.ts";
import { done, type OnIssue, skipped } from "./define.ts";

/**
 * Changes fields of the issue. Skipped if they have these values already. The effect repeats the warnings.
 * @param names what the change refers to, for the refusal of a reference that no longer exists
 * @throws Refusal
 */
export async function changed(
  ctx: OnIssue,
  wanted: Change,
  says: string | ((after: IssueView) => string),
  names = "object",
): Promise<Effect> {
  const before = ctx.eventIds.length;
  const warned = ctx.warnings.length;
  let said: string;
  try {
    const after = await change(ctx, wanted);
    said = typeof says === "string" ? says : says(after);
  } catch (error) {
    if (!(error instanceof Refusal && error.is("invalid_reference"))) throw error;
    const message = `The ${names} does not exist in ${ctx.project.key} any more, or cannot be used there. Correct the action.`;
    throw new Refusal("invalid_reference", { ...error.details, message });
  }
  return ctx.eventIds.length > before
    ? done(`${said}.${warnedSince(ctx, warned)}`)
    : skipped(`Nothing to change. ${said}.`);
}

/** The warnings after the first ones, as sentences that follow others. */
export const warnedSince = ({ warnings }: Acting, count: number): string =>
  warnings
    .slice(count)
    .map(({ message }) => ` ${message}`)
    .join("");
