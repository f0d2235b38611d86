import type { InProject, Writing } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { checkFieldOfMany } from "../issues/allowed-fields.ts";
import { kindOf } from "./kinds.ts";
import {
  countToCome,
  deleteMassChange,
  insertMassChange,
  issuesToCome,
  type NewMassChange,
  redirect,
  setTotal,
} from "./mass-changes.sql.ts";
import { lockIssues } from "./settle.ts";

/** So many issues are changed in the call itself. */
const FEW = 200;

export type Wanted = Pick<NewMassChange, "kind" | "target_id"> &
  Partial<Pick<NewMassChange, "to_id" | "data" | "steps">>;

/**
 * Changes all issues of an object in the same way, because the object was deleted or changed. Few issues are changed at
 * once. Of many, no row is touched: the change is stored, from its commit on all readers see it as made (`issue_now`), and
 * a worker makes it in pieces, each issue with its events and history (make-mass-changes.ts).
 *
 * The caller has locked the board, and has made sure that no issue comes to the object from now on.
 * @returns the number of issues, also if they change later
 * @throws Refusal field_not_allowed
 */
export async function changeIssues(ctx: InProject & Writing, wanted: Wanted): Promise<number> {
  const change = { id: newId(), to_id: null, data: {}, steps: 1, ...wanted };
  await insertMassChange(ctx, change);
  const few = () => issuesToCome(ctx.tx, { ...change, workspaceId: ctx.workspace.id }, FEW + 1);
  const ids = await few();
  const isFew = ids.length <= FEW;
  let own = isFew ? ids.length : await countToCome(ctx, change.id, change.kind);
  // These are on their way to the object, and readers see them there.
  let coming = 0;
  for (const earlier of await redirect(ctx, change.target_id, change.to_id, change.id)) {
    coming += await countToCome(ctx, earlier.id, earlier.kind);
  }
  if (own + coming > 0) checkFieldOfMany(ctx.principal, kindOf(change.kind).fieldOf(change));
  if (isFew) {
    // Another call may have taken some of them from the object while this one waited for their locks.
    const countAgain = async () => {
      own = (await few()).length;
    };
    if (ids.length > 0) await lockIssues(ctx, ids, countAgain);
    await deleteMassChange(ctx, change.id);
  } else await setTotal(ctx, change.id, own);
  return own + coming;
}
