import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { ReportedTokens } from "./inputs.ts";
import type { TurnView } from "./view.ts";

/** Writes of reports of usage. */

type Ctx = InWorkspace & Writing;

/** Locks a session for a report. Its issue stays free: a report changes nothing of it. */
export async function lockSession(ctx: Ctx, id: string): Promise<void> {
  const text = `select updated_at from agent_session where workspace_id = $1 and id = $2 for no key update`;
  const values = [ctx.workspace.id, id];
  const [row] = await ctx.tx.query<{ updated_at: string }>({ name: "lock_agent_session", text }, values);
  ctx.waited(row?.updated_at);
}

/** The turn of a session that was reported with this id. */
export async function findTurn({ tx, workspace }: Ctx, sessionId: string, turnId: string): Promise<TurnView | null> {
  const text = `
    select cost_usd::float8 as cost_usd, source, price_match from agent_usage
    where workspace_id = $1 and session_id = $2 and turn_id = $3`;
  const [row] = await tx.query<TurnView>({ name: "agent_turn", text }, [workspace.id, sessionId, turnId]);
  return row ?? null;
}

/** A turn with its price. */
export type Turn = ReportedTokens & {
  id: string;
  session_id: string;
  agent_id: string;
  turn_id: string | null;
  model: string | null;
  /** In US dollars with six decimal places. Null: not known. */
  cost_usd: string | null;
  source: TurnView["source"];
  price_match: string | null;
};

/** What the agent of a report has spent in the month, and how that compares to its cap. */
export type AgentAfter = {
  period_usd: number;
  spend_cap_usd: number | null;
  /** The percentage of the cap that the costs have reached: 100, 80 or 0. */
  reached: number;
  /** The one that has been announced in this month. */
  announced: number;
};

/** The percentage of the agent's cap that costs have reached. */
const reached = (costs: string) => `
  case when spend_cap_usd is null then 0 when ${costs} >= spend_cap_usd then 100
       when ${costs} >= spend_cap_usd * 0.8 then 80 else 0 end`;

// The clocks of processes differ: a month does not begin twice.
const MONTH = `greatest(spend_month, date_trunc('month', $14::timestamptz at time zone 'UTC')::date)`;
const SO_FAR = `case when spend_month = ${MONTH} then spend_usd else 0 end`;

/**
 * Stores a turn and adds it to the sums of its session, which is locked, and of its agent. Everything is added in
 * Postgres to the present values, so reports at the same time all count. Null for a session of a person.
 */
export async function addTurn(ctx: Ctx, turn: Turn): Promise<AgentAfter | null> {
  const text = `
    with stored as (
      insert into agent_usage (id, workspace_id, session_id, turn_id, model, tokens_in, tokens_out, cached_tokens,
                               cache_write_tokens, cost_usd, source, price_match, created_at)
      values ($3, $1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $14)
    ), of_session as (
      update agent_session set
        cost_usd = ${sum("cost_usd", "$10::numeric(18, 6)")}, cost_estimated = cost_estimated or $11 = 'estimated',
        ${sums}, usage_reports = usage_reports + 1, model = coalesce($5, model),
        last_activity_at = greatest(last_activity_at, $14), updated_at = $14
      where workspace_id = $1 and id = $2
    )
    update agent set
      cost_total = ${sum("cost_total", "$10::numeric(18, 6)")}, ${sums}, usage_reports = usage_reports + 1,
      spend_month = ${MONTH}, spend_usd = ${SO_FAR} + coalesce($10::numeric(18, 6), 0),
      -- If the cap was raised since, its percentages can be reached again.
      spend_announced = case when spend_month = ${MONTH} then least(spend_announced, ${reached("spend_usd")}) else 0 end
    where workspace_id = $1 and user_id = $13
    returning spend_usd::float8 as period_usd, spend_cap_usd::float8 as spend_cap_usd, ${reached("spend_usd")} as reached,
              spend_announced as announced`;
  const { tokens_in, tokens_out, cached_tokens, cache_write_tokens, cost_usd, source, price_match, model } = turn;
  const [row] = await ctx.tx.query<AgentAfter>({ name: "add_agent_turn", text }, [
    ...[ctx.workspace.id, turn.session_id, turn.id, turn.turn_id, model],
    ...[tokens_in, tokens_out, cached_tokens, cache_write_tokens],
    ...[cost_usd, source, price_match, turn.agent_id, ctx.now],
  ]);
  return row ?? null;
}

/** A sum that is null until there is something to add. */
const sum = (column: string, value: string) =>
  `case when ${value} is null then ${column} else coalesce(${column}, 0) + ${value} end`;
const sums = [
  ["tokens_in", "$6::bigint"],
  ["tokens_out", "$7::bigint"],
  ["cached_tokens", "$8::bigint"],
]
  .map(([column, value]) => `${column} = ${sum(column!, value!)}`)
  .join(", ");
