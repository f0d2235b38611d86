import { agentErrors } from "../../domain/access/agents/errors.ts";
import { type Position, positionOf, REPLAY_MS } from "../../domain/automation/agent-events/replay.ts";
import type { InWorkspace, WithCredential } from "../../domain/kernel/context.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { firstIdAt, readId } from "../../domain/kernel/ids.ts";
import type { Streaming } from "../engine/handler.ts";
import { takeOwnRate } from "../engine/rate.ts";
import { Stream } from "../engine/stream.ts";
import { watchAccess } from "./access-watch.ts";
import { type AgentHub, agentHub } from "./agent-hub.ts";
import { AgentReader, type Reading } from "./agent-reader.ts";
import { EventStream } from "./event-stream.ts";

/** A client that reconnects within this time of the last frame did so because its connection was cut. */
const RECONNECT_MS = 10_000;
/** When a refused client should try again. Streams of a web process that was killed count for about as long. */
const RETRY_SECONDS = 10;

type Ctx = InWorkspace & WithCredential;

/**
 * Streams what concerns the calling agent.
 * @param since RFC 3339. Frames stored since then are replayed first. A `Last-Event-ID` wins over it.
 * @param limit the operation's limit on calls, of which a reconnect uses none: also when the limit is used up
 * @throws Refusal agent_key_required, rate_limited, too_many_streams
 */
export async function agentStream(
  ctx: Ctx,
  since: string | undefined,
  { lastEventId, checkAccess }: Streaming,
  limit: { id: string; perMinute: number },
): Promise<Stream> {
  const { principal, workspace } = ctx;
  if (principal.user_kind !== "agent") refuse(agentErrors.agent_key_required);
  const agentId = principal.user_id;
  const hub = agentHub(ctx);
  const from = await resumeFrom(ctx, since, lastEventId);
  if (!isReconnect(ctx, hub, lastEventId, from.position)) await takeOwnRate(ctx, ctx.credential, limit);
  await countStream(ctx, hub);
  const reading: Reading = {
    agentId,
    workspace: { id: workspace.id, slug: workspace.slug },
    projectIds: principal.project_ids && new Set(principal.project_ids),
    lastEventId,
    checkAccess,
    ...from,
  };
  return new Stream(
    "text/event-stream; charset=utf-8",
    (outlet, stopping) => new EventStream(outlet, stopping, (stream) => open(stream, ctx, hub, reading)),
    { release: () => hub.presence.close(agentId) },
  );
}

function open(stream: EventStream, ctx: Ctx, hub: AgentHub, reading: Reading): AgentReader {
  const reader = new AgentReader(stream, hub, ctx.log, reading);
  reader.watching = watchAccess(ctx, reader, { isByKey: true });
  return reader;
}

/** Where the stream begins. `since` is the time that decides it, if one does. */
async function resumeFrom(
  { db, workspace, principal, now }: Ctx,
  since: string | undefined,
  lastEventId: string | null,
): Promise<{ position: Position | null; since: string | null }> {
  const isLater = since !== undefined && since > now;
  if (lastEventId === null && (since === undefined || isLater)) return { position: null, since: since ?? null };
  const from = lastEventId === null ? { since: since! } : { lastEventId };
  const position = await positionOf(db, workspace, principal.user_id, from, now);
  const earliest = new Date(Date.parse(now) - REPLAY_MS).toISOString();
  if (position.clamped || position.gap) return { position, since: earliest };
  return { position, since: lastEventId === null ? since! : null };
}

/** Whether the client lost its connection a moment ago: a flaky network should not use up the limit on connects. */
function isReconnect({ principal, now }: Ctx, hub: AgentHub, lastEventId: string | null, position: Position | null) {
  if (lastEventId === null || !position) return false;
  if (hub.hasJustLeft(principal.user_id)) return true;
  // Another process has sent the frame. Ids that are not the agent's prove nothing.
  const id = position.gap ? null : readId(lastEventId);
  return id !== null && id > firstIdAt(new Date(Date.parse(now) - RECONNECT_MS));
}

/** @throws Refusal too_many_streams */
async function countStream({ settings, workspace, principal }: Ctx, { presence }: AgentHub): Promise<void> {
  const max = settings.plans(workspace.plan, "streams_per_agent");
  if (await presence.open(principal.user_id, max)) return;
  refuse("too_many_streams", {
    message: `An agent may have ${max} streams open on the plan ${workspace.plan}. Close one of them first.`,
    limit: max,
    headers: { "Retry-After": String(RETRY_SECONDS) },
  });
}
