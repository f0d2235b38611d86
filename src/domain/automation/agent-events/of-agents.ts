import { agentSpendCapReached, agentSpendWarning, agentUpdated } from "../../access/agents/events.ts";
import { agentWake } from "../actions/events.ts";
import { agentSessionCreated, agentSessionStateChanged, agentSessionUpdated } from "../agent-sessions/events.ts";
import { workflowStageActivated, workflowStageCancelled } from "../workflow-runs/events.ts";
import { type Happened, rule, type Telling } from "./telling.ts";
import type { AgentEventName } from "./view.ts";

/** What an agent is told of itself: its sessions, limits, wakes and stages of workflows. */

type Agent = { id: string; paused: boolean };
type Session = { agent_id: string; started_by: string };
type Wake = { automation_id: string | null; prompt: string | null };

export const agentRules = [
  rule(agentSessionCreated, (event: Own<Session>) =>
    event.data.started_by === event.data.agent_id ? [] : ofSession(event),
  ),
  rule(agentSessionStateChanged, ofSession),
  rule(agentSessionUpdated, ofSession),
  rule(agentWake, ({ person_id, data }: Happened<Wake>) => {
    const { automation_id = null, prompt = null } = data;
    return to(person_id, "agent.wake", { automation_id, prompt });
  }),
  rule(workflowStageActivated, ofStage),
  rule(workflowStageCancelled, ofStage),
  rule(agentSpendWarning, ofAgent),
  rule(agentSpendCapReached, ofAgent),
  rule(agentUpdated, ({ data, changed }: Happened<Agent>) =>
    changed.includes("paused") ? to(data.id, data.paused ? "agent.paused" : "agent.resumed", {}) : [],
  ),
];

/** An event that is told under its own name. */
type Own<Data> = Happened<Data> & { type: AgentEventName };

const to = (agent: string | null | undefined, name: AgentEventName, context: object): Telling[] =>
  agent ? [{ name, agents: [agent], context }] : [];

/** Also of its own changes, so that all processes of an agent know them. */
function ofSession({ type, data }: Own<Session>): Telling[] {
  return to(data.agent_id, type, {}).map((one) => ({ ...one, echo: true }));
}

function ofStage({ type, person_id, context }: Own<Record<string, unknown>>): Telling[] {
  const { node_id, issue_key, title, instructions } = context;
  return to(person_id, type, { node_id, issue_key, title, instructions });
}

/** The costs that pass a limit are reported by the agent itself. */
function ofAgent({ type, data }: Own<Agent>): Telling[] {
  return to(data.id, type, {}).map((one) => ({ ...one, echo: true }));
}
