import { seenBy } from "../seen/definitions.ts";
import type { Reading } from "../seen/viewer.ts";
import type { AutomationView } from "./view.ts";

/** Automations, or some fields of them, without the addresses, projects and issues that the reader does not see. */
export async function rulesSeenBy<View extends Partial<AutomationView>>(
  ctx: Reading,
  views: readonly View[],
  options: { addresses: boolean },
): Promise<View[]> {
  const seen = await seenBy(ctx, views.map(definitionOf), options);
  return views.map((view, n) => ({ ...view, ...seen[n] }));
}

const FIELDS = ["actions", "conditions", "trigger_config"] as const;

const definitionOf = (view: Partial<AutomationView>): Partial<AutomationView> =>
  Object.fromEntries(FIELDS.flatMap((field) => (view[field] === undefined ? [] : [[field, view[field]]])));
