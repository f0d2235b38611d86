import { spendOf } from "../../access/agents/spend.ts";
import { recordChange } from "../../events/record.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import type { ModelPrices } from "../../kernel/settings.ts";
import { agentSessionUpdated } from "../agent-sessions/events.ts";
import { checkMayReport } from "../agent-sessions/rights.ts";
import { readSession } from "../agent-sessions/sessions.sql.ts";
import { placeOf, withAudience } from "../agent-sessions/sessions.ts";
import { type SessionRow, sessionView } from "../agent-sessions/view.ts";
import { announceSpend } from "./announce.ts";
import { type AgentUsageInput, type ReportedTokens, tokensOf } from "./inputs.ts";
import { costOf, nearestPrice, priceOf } from "./prices.ts";
import { readSpend } from "./spend.sql.ts";
import { addTurn, findTurn, lockSession, type Turn } from "./usage.sql.ts";
import type { AgentUsageView, TurnView } from "./view.ts";

/** The session of a report, locked. Null if there is none. */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<SessionRow> | null> {
  const id = readId(text);
  if (!id) return null;
  await lockSession(ctx, id);
  const row = await readSession(ctx, id);
  return row && withAudience(row, row);
}

/**
 * Adds what a turn of an agent has used to its session and to the agent. Sessions that have ended take reports too. A
 * turn that was reported before changes nothing.
 * @throws Refusal not_owner_of_resource, invalid_reference, mutually_exclusive, validation_failed
 */
export async function report(
  ctx: InWorkspace & Writing,
  row: SessionRow,
  body: AgentUsageInput,
): Promise<AgentUsageView> {
  checkMayReport(ctx, row, body.agent_id ?? undefined);
  const tokens = tokensOf(body);
  const isEmpty = [body.cost_usd ?? null, ...Object.values(tokens)].every((value) => value === null);
  if (isEmpty) {
    const message = "Send cost_usd, or tokens: tokens_in, tokens_out, cached_tokens, cache_write_tokens or tokens.";
    refuse("validation_failed", { message, errors: [{ path: "/cost_usd", code: "required", message }] });
  }
  const before = sessionView(ctx, row);
  const known = body.turn_id ? await findTurn(ctx, row.id, body.turn_id) : null;
  if (known) {
    const spend = await readSpend(ctx, row.agent_id);
    return { ...before, turn: known, spend: spend && spendOf(spend, ctx.now) };
  }

  const model = body.model || row.model;
  const priced = priceFor(ctx.settings.modelPrices, body, tokens, model);
  const turn: Turn = {
    id: newId(),
    session_id: row.id,
    agent_id: row.agent_id,
    turn_id: body.turn_id ?? null,
    model,
    ...tokens,
    ...priced,
  };
  warnOfUnknownCosts(ctx, turn);
  const agent = await addTurn(ctx, turn);
  const after = sessionView(ctx, (await readSession(ctx, row.id))!);
  recordChange(placeOf(ctx, row), agentSessionUpdated, before, after, row.issue_id ? { issue_id: row.issue_id } : {});
  if (agent) await announceSpend(ctx, row.agent_id, agent);
  const { cost_usd, source, price_match } = priced;
  return {
    ...after,
    turn: { cost_usd: cost_usd === null ? null : Number(cost_usd), source, price_match },
    spend: agent && spendOf(agent, ctx.now),
  };
}

/** Unknown costs count towards no sum and no cap, so the reply says why they are not known. */
function warnOfUnknownCosts({ warnings, settings }: InWorkspace, { model, source }: Turn): void {
  if (source !== "none") return;
  const meant = model && nearestPrice(settings.modelPrices, model);
  const cause = model
    ? `There is no price for the model ${model}.`
    : "Neither the report nor the session names a model.";
  const hint = meant ? ` Did you mean ${meant}?` : "";
  const message = `The costs of the turn are not known. ${cause}${hint} Send cost_usd, or a model that has a price.`;
  warnings.push({ code: "costs_unknown", message, ...(meant ? { did_you_mean: meant } : {}) });
}

type Priced = Omit<TurnView, "cost_usd"> & Pick<Turn, "cost_usd">;

/** What was sent counts. Without it, costs are estimated if the model and its price are known. */
function priceFor(
  prices: ModelPrices,
  { cost_usd }: AgentUsageInput,
  { tokens_in, tokens_out, cached_tokens, cache_write_tokens }: ReportedTokens,
  model: string | null,
): Priced {
  if (typeof cost_usd === "number") return { cost_usd: cost_usd.toFixed(6), source: "reported", price_match: null };
  const price = model ? priceOf(prices, model) : null;
  if (!price) return { cost_usd: null, source: "none", price_match: null };
  const tokens = {
    input: tokens_in ?? 0,
    output: tokens_out ?? 0,
    cacheRead: cached_tokens ?? 0,
    cacheWrite: cache_write_tokens ?? 0,
  };
  return { cost_usd: costOf(price.rates, tokens), source: "estimated", price_match: price.match };
}
