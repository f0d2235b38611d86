import { type Unable, unableText } from "../../access/identity/act-as.ts";
import type { Background } from "../../events/background.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { counted } from "../../kernel/counted.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { ActionInput } from "../actions/inputs.ts";
import { disableFor, disableIn } from "./disable.ts";
import { MAX_FAILURES } from "./limits.ts";
import { type ClaimedRun, runFaulted, runPutBack } from "./runs.sql.ts";
import { actAsCreator, applyNext, endWithoutRights, failNext, type Stepped } from "./step.ts";
import type { Applied } from "./view.ts";

/** Waits before the second, third and fourth attempt of an action that failed for a reason outside of it. */
const RETRY_MS = [300, 1_500, 5_000];

/** How the work on a run ended. `waiting`: it goes on in `waitMs` milliseconds. `left`: another job has to go on. */
export type Executed = { state: "ended" | "lost" | "left" } | { state: "waiting"; waitMs: number };

/** Works on a run until it ends, or until `goesOn` returns false before an action. */
export async function executeRun(ctx: Background, run: ClaimedRun, goesOn: () => boolean): Promise<Executed> {
  for (let current = run; ; ) {
    if (!goesOn()) {
      await runPutBack(ctx.db, [current]);
      return { state: "left" };
    }
    const stepped = await takeStep({ ...ctx, now: ctx.ports.clock() }, current);
    if (stepped.state === "continues") current = { ...current, ...stepped, attempts: 0 };
    else return stepped;
  }
}

type Outcome = Executed | Extract<Stepped, { state: "continues" }>;

async function takeStep(ctx: Background, run: ClaimedRun): Promise<Outcome> {
  const acting = await actAsCreator(ctx, run);
  if (typeof acting === "string") return cannotAct(ctx, run, null, acting);
  const action = run.plan.actions[run.next_action]!;
  try {
    return await finished(ctx, run, await applyNext(acting, run, action));
  } catch (error) {
    if (error instanceof Refusal) return refused(acting, run, action, error);
    return faulted(acting, run, action, error);
  }
}

async function finished(ctx: Background, run: ClaimedRun, stepped: Stepped): Promise<Outcome> {
  if (stepped.state !== "ended") return stepped;
  const { failures_in_a_row, reason } = stepped.ended;
  if (failures_in_a_row >= MAX_FAILURES && reason === null) await disableFor(ctx, run, "failing");
  return { state: "ended" };
}

/** Refusals that say that the creator's role or key allows too little. */
const OF_RIGHTS = ["insufficient_role", "insufficient_scope", "not_owner_of_resource", "key_project_limit"] as const;

async function refused(
  acting: Background & InWorkspace,
  run: ClaimedRun,
  action: ActionInput,
  refusal: Refusal,
): Promise<Outcome> {
  const detail = `${refusal.code}: ${refusal.message}`;
  if (!refusal.is(...OF_RIGHTS)) return finished(acting, run, await failNext(acting, run, action, detail));
  const applied = { type: action.type, ok: false, detail, issue_id: null };
  return cannotAct(acting, run, applied, "rights");
}

/** The run ends, and the automation is disabled in the same transaction. */
async function cannotAct(ctx: Background, run: ClaimedRun, applied: Applied | null, unable: Unable): Promise<Outcome> {
  const detail = applied
    ? "The creator of the automation, or the key that set it up, may not do this any more."
    : unableText(unable, "the automation");
  const stepped = await endWithoutRights(ctx, run, applied, detail, (tx) => disableIn(tx, run, unable));
  return finished(ctx, run, stepped);
}

async function faulted(
  acting: Background & InWorkspace,
  run: ClaimedRun,
  action: ActionInput,
  error: unknown,
): Promise<Outcome> {
  const { id: run_id, workspace_id, automation_id, attempts } = run;
  const waitMs = RETRY_MS[attempts];
  const fields = { err: error, run_id, workspace_id, automation_id, action: action.type, attempt: attempts + 1 };
  if (waitMs !== undefined) {
    acting.log.warn(fields, "an action of an automation failed; it is tried again");
    await runFaulted(acting.db, [run], waitMs);
    return { state: "waiting", waitMs };
  }
  acting.log.error(fields, "an action of an automation failed for good");
  const detail = `internal_error: The action failed ${counted(attempts + 1, "time")} for a reason of the service.`;
  return finished(acting, run, await failNext(acting, run, action, detail));
}
