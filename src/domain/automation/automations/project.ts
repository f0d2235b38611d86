import { readProjectAccess } from "../../access/identity/project-access.sql.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { type Group, isGroup } from "../conditions/inputs.ts";

/**
 * The project of an automation. A rule `project is …` directly in conditions that must all apply sets it, so that
 * `project_id` and this rule are one thing.
 */

/**
 * The project that conditions name.
 * @returns its id, or null if they name none
 * @throws Refusal invalid_reference
 */
export async function projectOfConditions(ctx: InWorkspace, conditions: Group | null): Promise<string | null> {
  if (conditions?.match !== "all") return null;
  const at = conditions.rules.findIndex((rule) => !isGroup(rule) && rule.field === "project" && rule.op === "is");
  const rule = conditions.rules[at];
  if (!rule || isGroup(rule)) return null;
  const project = await readProjectAccess(ctx, String(rule.value));
  if (project && seesProject(ctx.principal, project)) return project.id;
  return refuseReference(`/conditions/rules/${at}/value`, rule.value);
}

/**
 * The project that a body's `project_id` and conditions name together.
 * @param given the body's project; null for all, undefined if the body does not say
 * @param named the project that the conditions name
 * @throws Refusal mutually_exclusive if they differ
 */
export function oneProject(given: string | null | undefined, named: string | null): string | null {
  if (given === undefined || named === null || given === named) return named ?? given ?? null;
  refuse("mutually_exclusive", {
    message: "project_id and the rule about the project in conditions must name the same project. Send one of them.",
    fields: ["project_id", "conditions"],
  });
}
