import type { Scope } from "../../access/identity/scopes.ts";
import { own } from "../../kernel/own.ts";
import { type Condition, isGroup } from "../conditions/inputs.ts";
import { type Path, pathsIn } from "../templates/template.ts";
import { declarationOf } from "./catalogue.ts";
import type { ActionInput } from "./inputs.ts";

/**
 * The scopes that a key needs for the actions and conditions of automations and workflows. They are the scopes of the calls
 * that make the same changes and read the same data. They are checked when a definition is saved and when it runs.
 */

/** The scopes that an action needs, also for what its texts contain and for finding its targets. */
export function scopesOfAction(action: ActionInput): Scope[] {
  const isElsewhere = "target" in action && action.target !== "self";
  return [
    ...declarationOf(action.type).scopes,
    ...scopesOfTexts(action),
    ...(isElsewhere ? (["issues:read"] as const) : []),
  ];
}

/** The scopes that read what the texts of an action contain. */
export function scopesOfTexts(value: unknown): Scope[] {
  if (typeof value === "string") return pathsIn(value).flatMap((path) => own(SCOPES_OF_OBJECT, objectOf(path)) ?? []);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(scopesOfTexts);
}

const objectOf = (path: Path): string => path.slice(0, path.indexOf("."));

/** The objects of paths. The others belong to the event and to the automation itself. */
const SCOPES_OF_OBJECT: Readonly<Record<string, readonly Scope[] | undefined>> = {
  issue: ["issues:read"],
  project: ["projects:read"],
  comment: ["comments:read"],
};

/** The scopes that read what conditions compare. */
export function scopesOfConditions(condition: Condition | null): Scope[] {
  if (condition === null) return [];
  if (isGroup(condition)) return condition.rules.flatMap(scopesOfConditions);
  if (OF_EVENT.includes(condition.field)) return [];
  return condition.field === "project" ? ["projects:read"] : ["issues:read"];
}

/** Fields that say who caused the event. */
const OF_EVENT: readonly string[] = ["actor_kind", "actor_id"];
