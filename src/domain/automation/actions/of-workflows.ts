import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { idInput } from "../../kernel/wire.ts";
import { onIssues } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { target } from "./targets.ts";

/** Actions that start workflows. */

const StartWorkflow = inputPart(aboutAction, { type: z.literal("start_workflow"), workflow_id: idInput, target });

export const startWorkflow = onIssues(StartWorkflow, {
  check: async () => [],
  run: async () => refuse("unavailable", { message: "This action is not available yet." }),
  says: ({ workflow_id }) => `Start the workflow ${workflow_id}`,
});
