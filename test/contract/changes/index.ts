import type { Case } from "./case.ts";
import { formChanges } from "./of-forms.ts";
import { issueChanges } from "./of-issues.ts";
import { partChanges } from "./of-parts.ts";
import { planningChanges } from "./of-plans.ts";
import { projectChanges } from "./of-projects.ts";
import { workflowChanges } from "./of-workflows.ts";

/** Calls of every operation that changes something of a project, by its id. */
export const changes: Readonly<Record<string, Case[]>> = {
  ...projectChanges,
  ...issueChanges,
  ...partChanges,
  ...planningChanges,
  ...formChanges,
  ...workflowChanges,
};
