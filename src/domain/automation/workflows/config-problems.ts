import type { UserKind } from "../../access/identity/kind.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { type Role, rolesFrom } from "../../kernel/roles.ts";
import { checkActions } from "../actions/check.ts";
import { readReferences } from "../conditions/references.ts";
import type { Checked } from "./check.ts";
import type { WorkflowNode, WorkflowNodeOf } from "./nodes.ts";
import { activeAmong, peopleByRole } from "./people.sql.ts";
import type { Problem } from "./problems.ts";

/** Problems of nodes' settings. They depend on the workspace: people leave, and agents are revoked. */

/** What is known of the workspace. */
type World = {
  /** Active people and agents who see the project. */
  people: ReadonlyMap<string, UserKind>;
  /** The number of active people with each role who see the project. */
  byRole: ReadonlyMap<Role, number>;
  events: ReadonlySet<string>;
};

/** Returns every problem of the nodes' settings. */
export async function configProblems(
  ctx: InWorkspace,
  nodes: readonly WorkflowNode[],
  { project, events }: Checked,
): Promise<Problem[]> {
  const named = nodes.flatMap(peopleOf);
  const people = named.length > 0 ? await activeAmong(ctx, [...new Set(named)], project) : [];
  const byRole = nodes.some(namesRole) ? await peopleByRole(ctx, project) : new Map();
  const world: World = { people: new Map(people.map(({ id, kind }) => [id, kind])), byRole, events };
  const problems: Problem[] = [];
  for (const [n, node] of nodes.entries()) {
    const looked = [...(await ofActions(ctx, node, project?.id ?? null)), ...(await ofCondition(ctx, node))];
    for (const [field, message] of [...problemsOf(node, world), ...looked]) {
      problems.push({
        code: "bad_config",
        message: `${node.id}: ${message}`,
        node_id: node.id,
        path: `/nodes/${n}/${field}`,
      });
    }
  }
  return problems;
}

async function ofActions(ctx: InWorkspace, node: WorkflowNode, projectId: string | null): Promise<Finding[]> {
  if (node.kind !== "action") return [];
  const { actions } = node.config;
  if (actions.length === 0) return [["config/actions", "Add an action."]];
  const found = await checkActions(ctx, actions, { path: "config/actions", projectId });
  return found.map(({ path, message }): Finding => [path, message]);
}

async function ofCondition(ctx: InWorkspace, node: WorkflowNode): Promise<Finding[]> {
  if (node.kind !== "condition") return [];
  const { unknown } = await readReferences(ctx, node.config);
  return unknown.map(({ path, message }): Finding => [`config${path}`, `The value ${message}.`]);
}

const peopleOf = ({ assignee_user_id, ...node }: WorkflowNode): string[] => [
  ...(assignee_user_id === null ? [] : [assignee_user_id]),
  ...(node.kind === "approval" ? (node.config.approver_ids ?? []) : []),
];

const namesRole = (node: WorkflowNode): boolean =>
  (node.kind === "approval" && Boolean(node.config.approver_role)) ||
  (node.kind === "person" && Boolean(node.config.role));

/** A field of a node, and what is wrong with it. */
type Finding = [field: string, message: string];

function* problemsOf(node: WorkflowNode, world: World): Generator<Finding> {
  switch (node.kind) {
    case "agent":
    case "person":
      return yield* ofAssignee(node, world);
    case "approval":
      return yield* ofApproval(node, world);
    case "wait":
      return yield* ofWait(node, world);
  }
}

function* ofAssignee(node: WorkflowNodeOf<"agent"> | WorkflowNodeOf<"person">, { people, byRole }: World) {
  const { assignee_user_id: id, kind } = node;
  const wanted = kind === "agent" ? "agent" : "user";
  if (id !== null && people.get(id) !== wanted) {
    const who = kind === "agent" ? "agent of this workspace" : "person in this workspace";
    yield finding("assignee_user_id", `This is no active ${who} who sees the project. Choose another one.`);
  }
  if (kind !== "person" || id !== null || !node.config.role) return;
  if (countFrom(node.config.role, byRole) === 0)
    yield finding("config/role", `Nobody who sees the project has at least the role ${node.config.role}.`);
}

/** The number of people with at least the rights of a role. */
const countFrom = (role: Role, byRole: World["byRole"]): number =>
  rolesFrom(role).reduce((sum, one) => sum + (byRole.get(one) ?? 0), 0);

function* ofApproval({ config }: WorkflowNodeOf<"approval">, { people, byRole }: World): Generator<Finding> {
  const { approver_role: role, required } = config;
  const ids = [...new Set(config.approver_ids ?? [])];
  if (ids.length === 0 && !role) yield ["config/approver_ids", "Say who approves: approver_ids or approver_role."];
  if (ids.length > 0 && role) yield ["config/approver_role", "Send approver_ids or approver_role, not both."];
  for (const [n, id] of (config.approver_ids ?? []).entries()) {
    if (people.has(id)) continue;
    yield [`config/approver_ids/${n}`, "This is nobody active in this workspace who sees the project."];
  }
  const able = ids.length > 0 ? ids.filter((id) => people.has(id)).length : role ? countFrom(role, byRole) : required;
  if (able < required) yield ["config/required", `${required} approvals are required, but only ${able} can approve.`];
}

function* ofWait({ config }: WorkflowNodeOf<"wait">, { events }: World): Generator<Finding> {
  const { minutes, until_field: field, event } = config;
  const given = [minutes, field, event].filter((value) => value !== undefined && value !== null);
  if (given.length !== 1) yield ["config", "Send one of minutes, until_field and event."];
  if (event && !events.has(event.type)) yield ["config/event/type", "There is no event with this name."];
}

const finding = (field: string, message: string): Finding => [field, message];
