import { readProjectsAccess } from "../../access/identity/project-access.sql.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { visibleIssues } from "./runs.sql.ts";
import type { AutomationView } from "./view.ts";

/** Automations as those who are no admins see them. */

const HIDDEN = "…";

/** Parameters of actions that name projects, and those that name issues. */
const OF_PROJECTS: readonly string[] = ["project"];
const OF_ISSUES: readonly string[] = ["target_key", "parent", "epic"];

/**
 * Automations without what only owners and admins see: the paths of addresses, which may contain secrets, and projects
 * and issues that the reader does not see.
 */
export async function seenBy(ctx: InWorkspace, views: readonly AutomationView[]): Promise<AutomationView[]> {
  if (isAdmin(ctx.principal.role) && ctx.principal.project_ids === null) return [...views];
  const named = { projects: new Set<string>(), issues: new Set<string>() };
  for (const view of views)
    replaced(view, (ref, kind) => {
      named[kind].add(ref);
      return ref;
    });
  const projects = await readProjectsAccess(ctx, [...named.projects, ...[...named.issues].map(projectIn)]);
  const issues = await visibleIssues(
    ctx,
    [...named.issues].flatMap((ref) => readId(ref) ?? []),
  );
  const sees = (ref: string) => projects.has(ref) && seesProject(ctx.principal, projects.get(ref)!);
  return views.map((view) =>
    replaced(view, (ref, kind) => {
      const id = kind === "issues" ? readId(ref) : null;
      return (id === null ? sees(kind === "issues" ? projectIn(ref) : ref) : issues.has(id)) ? ref : HIDDEN;
    }),
  );
}

/** The key of the project in the key of an issue. */
const projectIn = (ref: string): string => ref.slice(0, Math.max(0, ref.lastIndexOf("-")));

/** What to show for the name of a project or an issue. */
type Show = (ref: string, kind: "projects" | "issues") => string;

function replaced(view: AutomationView, show: Show): AutomationView {
  const actions = view.actions.map((action) => inPlace(action, show) as AutomationView["actions"][number]);
  return { ...view, actions, conditions: inPlace(view.conditions, show) as AutomationView["conditions"] };
}

/** Goes through an action or conditions. `name` is that of the member whose value this is. */
function inPlace(value: unknown, show: Show, name = ""): unknown {
  if (typeof value === "string") return shown(value, show, name);
  if (Array.isArray(value)) return value.map((one) => inPlace(one, show, name));
  if (typeof value !== "object" || value === null) return value;
  // The rule `parent is …` and the action that sets the parent name the field beside the value.
  const field = "field" in value ? String(value.field) : "";
  return Object.fromEntries(
    Object.entries(value).map(([key, content]) => [key, inPlace(content, show, key === "value" ? field : key)]),
  );
}

function shown(text: string, show: Show, name: string): string {
  if (name === "url") return `${new URL(text).origin}/${HIDDEN}`;
  if (text.includes("{{")) return text;
  if (OF_PROJECTS.includes(name)) return show(text, "projects");
  return OF_ISSUES.includes(name) ? show(text, "issues") : text;
}
