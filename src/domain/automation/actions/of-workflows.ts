import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { readId } from "../../kernel/ids.ts";
import { idInput } from "../../kernel/wire.ts";
import { startRun } from "../workflow-runs/start.ts";
import { done, onIssues } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { hasWorkflow } from "./references.sql.ts";
import { missing } from "./references.ts";
import { target } from "./targets.ts";

/** The action that starts workflows. */

const StartWorkflow = inputPart(aboutAction, { type: z.literal("start_workflow"), workflow_id: idInput, target });

export const startWorkflow = onIssues(StartWorkflow, {
  scopes: ["workflow.run"],
  check: async (ctx, { workflow_id }) =>
    (await hasWorkflow(ctx, readId(workflow_id))) ? [] : [missing("/workflow_id", "workflow")],
  run: async (ctx, { workflow_id }) => {
    const { run } = await startRun(ctx, { workflow_id });
    return done(`Started ${run.workflow_name}.`);
  },
  says: ({ workflow_id }) => `Start the workflow ${workflow_id}`,
});
