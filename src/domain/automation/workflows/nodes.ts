import { z } from "zod";
import { inputPart, variants } from "../../kernel/described.ts";
import { readId } from "../../kernel/ids.ts";
import { ROLES } from "../../kernel/roles.ts";
import { choice, idInput, line, text } from "../../kernel/wire.ts";
import { ActionInput } from "../actions/inputs.ts";
import { customFieldOf } from "../conditions/fields.ts";
import { OptionalConditions } from "../conditions/inputs.ts";
import { aboutConfig, aboutNode } from "./descriptions.ts";
import type { NodeKind } from "./graph.ts";

/**
 * The nodes of a workflow: one schema for each kind. Fields of `config` that a kind needs may be missing in a draft;
 * `config-problems.ts` finds them.
 */

const count = (min: number, max: number) => z.number().int().min(min).max(max);
/** A year in minutes. */
const minutes = count(1, 525_600);
const timeout_minutes = minutes.nullable().optional();

/** An id of a person or an agent. Whether it exists is checked when the workflow is enabled. */
const userId = idInput.refine((id) => readId(id) !== null, { message: "must be an id", params: { code: "pattern" } });

/** The field of an issue with a time. */
const timeField = z
  .string()
  .max(100)
  .refine((name) => ["start_at", "due_at"].includes(name) || readId(customFieldOf(name) ?? "") !== null, {
    message: "must be start_at, due_at, or custom_field: and the field's id",
    params: { code: "not_allowed" },
  });

const node = <const Kind extends NodeKind, Config extends z.ZodType>(kind: Kind, config: Config) =>
  inputPart(aboutNode, {
    id: z.string().min(1).max(64),
    kind: z.literal(kind),
    label: line(0, 120).nullable().default(null),
    assignee_user_id: userId.nullable().default(null),
    config,
    pos_x: z.number().int().min(-1_000_000).max(1_000_000).default(0),
    pos_y: z.number().int().min(-1_000_000).max(1_000_000).default(0),
  });

/** The config of a kind. Whatever it needs at least has a default, so it may be left out. */
function config<Shape extends { [Name in keyof typeof aboutConfig]?: z.ZodType }>(shape: Shape) {
  const schema = inputPart(aboutConfig as never, shape as { [Name in keyof Shape]: Shape[Name] & z.ZodType });
  return schema.default(() => schema.parse({}) as never);
}

const task = {
  title: line(0, 200).nullable().optional(),
  instructions: text(0, 8_000).nullable().optional(),
};

export const NodeInput = variants("kind", [
  node("start", config({})),
  node(
    "agent",
    config({
      ...task,
      timeout_minutes: minutes.default(1_440),
      spend_cap_usd: z.number().min(0).max(1_000_000).nullable().optional(),
      assign: z.boolean().default(true),
    }),
  ),
  node(
    "person",
    config({
      ...task,
      role: choice(ROLES).nullable().optional(),
      due_in_hours: count(1, 8_760).nullable().optional(),
      timeout_minutes,
      assign: z.boolean().default(true),
    }),
  ),
  node("condition", OptionalConditions.default({ match: "all", rules: [] })),
  node("parallel", config({ join: choice(["all", "any"]).default("all") })),
  node(
    "end",
    config({
      result: choice(["completed", "failed"]).default("completed"),
      set_status: line(1, 100).nullable().optional(),
    }),
  ),
  node(
    "approval",
    config({
      approver_ids: z.array(userId).max(50).nullable().optional(),
      approver_role: choice(ROLES).nullable().optional(),
      required: count(1, 10).default(1),
      allow_self: z.boolean().default(false),
      timeout_minutes,
      on_timeout: choice(["reject", "approve", "fail"]).default("reject"),
    }),
  ),
  node(
    "action",
    config({
      actions: z.array(ActionInput).max(10).default([]),
      retries: count(0, 5).default(2),
    }),
  ),
  node(
    "wait",
    config({
      minutes: minutes.nullable().optional(),
      until_field: timeField.nullable().optional(),
      event: inputPart({ type: aboutConfig.event_type }, { type: line(1, 100) })
        .nullable()
        .optional(),
      timeout_minutes,
    }),
  ),
]).meta({ id: "WorkflowNodeInput" });

/** A node with the whole config of its kind. */
export type WorkflowNode = z.output<typeof NodeInput>;
export type WorkflowNodeOf<Kind extends NodeKind> = Extract<WorkflowNode, { kind: Kind }>;
