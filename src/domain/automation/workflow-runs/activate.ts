import { rolesFrom } from "../../kernel/roles.ts";
import { readSpend } from "../agent-usage/spend.sql.ts";
import type { OpenRun } from "./open-run.ts";
import { type Person, peopleFor } from "./people.sql.ts";
import type { FlowNode, StageRow } from "./rows.ts";
import { dueOf } from "./timers.ts";

/** What a stage needs when it becomes active. */
export type Activation = {
  stage: Partial<StageRow>;
  /** Becomes an assignee of the issue. */
  assign: string | null;
  /** People who are notified. */
  people: readonly string[];
  /** The agent that is woken. */
  agent: string | null;
  /** Why nobody can work on the stage. It fails at once. */
  fails: string | null;
};

const NOTHING: Activation = { stage: {}, assign: null, people: [], agent: null, fails: null };

/** Finds out who works on a stage, and until when. */
export async function activate(open: OpenRun, node: FlowNode): Promise<Activation> {
  const { ctx } = open;
  const due_at = dueOf(node, ctx.now, open);
  switch (node.kind) {
    case "agent":
      return withDue(await forAgent(open, node), due_at);
    case "person":
      return withDue(await forPerson(open, node), due_at);
    case "approval": {
      const people = await approversOf(open, node);
      return withDue({ ...NOTHING, people: people.map(({ id }) => id) }, due_at);
    }
    case "wait": {
      const awaits = node.config.event?.type ?? (node.config.until_field ? "issue.updated" : null);
      return withDue({ ...NOTHING, stage: { awaits } }, due_at);
    }
    case "action":
      return withDue(NOTHING, ctx.now);
    default:
      return NOTHING;
  }
}

const withDue = (activation: Activation, due_at: string | null): Activation => ({
  ...activation,
  stage: { ...activation.stage, due_at },
});

/** The agent that is named, else the first agent among the issue's assignees. */
async function forAgent({ ctx, issue }: OpenRun, { assignee_user_id: named, config }: FlowNode): Promise<Activation> {
  const ids = named === null ? issue.assignee_ids : [named];
  const found = await peopleFor(ctx, { ids, roles: [] });
  const agent = ids.find((id) => found.some((one) => one.id === id && one.kind === "agent")) ?? null;
  if (agent === null) {
    const fails = named === null ? "No agent is assigned to the issue." : "The agent cannot see the project any more.";
    return { ...NOTHING, stage: { assignee_user_id: named }, fails };
  }
  const stage = { assignee_user_id: agent };
  if ((await readSpend(ctx, agent))?.blocked)
    return { ...NOTHING, stage, fails: "The agent has reached its spend cap." };
  return { ...NOTHING, stage, assign: config.assign === false ? null : agent, agent };
}

/** The person who is named, else everybody with a role, else the assignees of the issue. */
async function forPerson({ ctx, issue }: OpenRun, node: FlowNode): Promise<Activation> {
  const { assignee_user_id: named, config } = node;
  if (named === null) {
    const roles = rolesFrom(config.role);
    const found = await peopleFor(ctx, roles.length > 0 ? { ids: [], roles } : { ids: issue.assignee_ids, roles });
    const people = found.filter(({ kind }) => kind === "person");
    return { ...NOTHING, stage: { assignee_user_id: null }, people: people.map(({ id }) => id) };
  }
  const [person] = await peopleFor(ctx, { ids: [named], roles: [] });
  const stage = { assignee_user_id: named };
  if (!person) return { ...NOTHING, stage: { ...stage, error: "The assignee cannot see the project any more." } };
  return { ...NOTHING, stage, assign: config.assign === false ? null : named, people: [named] };
}

/** Who is asked to vote, not considering that nobody approves what they did themselves. At most 100. */
const approversOf = (open: OpenRun, { config }: FlowNode, only: string | null = null): Promise<Person[]> =>
  peopleFor(open.ctx, { ids: config.approver_ids ?? [], roles: rolesFrom(config.approver_role), only });

/** Whether somebody may vote, not considering that nobody approves what they did themselves. */
export const isApprover = async (open: OpenRun, node: FlowNode, userId: string): Promise<boolean> =>
  (await approversOf(open, node, userId)).length > 0;
