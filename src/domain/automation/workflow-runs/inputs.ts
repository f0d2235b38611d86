import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { choice, idInput, text } from "../../kernel/wire.ts";
import { aboutAdvance, aboutComplete, aboutStart } from "./descriptions.ts";

/** Bodies of the calls of workflow runs, named as the specification names them. */

const MAX_JSON_BYTES = 16 * 1024;

/** An object that is stored as JSON text. */
const json = z
  .record(z.string().max(MAX_JSON_BYTES), z.unknown())
  .meta({ maxProperties: MAX_JSON_BYTES / 4 })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_JSON_BYTES, {
    message: "must have at most 16 KiB of JSON",
    params: { code: "too_long" },
  });

export const WorkflowStartInput = input("WorkflowStartInput", aboutStart, {
  workflow_id: idInput,
  context: json.optional(),
  note_md: text(0, 1_000).optional(),
});
export type WorkflowStartInput = z.output<typeof WorkflowStartInput>;

export const COMPLETIONS = ["success", "failure", "approved", "rejected"] as const;

export const WorkflowCompleteStageInput = input("WorkflowCompleteStageInput", aboutComplete, {
  node_id: z.string().min(1).max(64).optional(),
  outcome: choice(COMPLETIONS).optional(),
  note_md: text(0, 4_000).optional(),
  output: json.optional(),
});
export type WorkflowCompleteStageInput = z.output<typeof WorkflowCompleteStageInput>;

export const WorkflowAdvanceInput = input("WorkflowAdvanceInput", aboutAdvance, {
  node_ids: z.array(z.string().min(1).max(64)).max(1_000).optional(),
});
export type WorkflowAdvanceInput = z.output<typeof WorkflowAdvanceInput>;
