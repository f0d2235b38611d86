import type { InWorkspace } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { findListed, findProjects, LISTS_OF_IDS, type ListOfIds } from "./read-scope.sql.ts";
import type { Scope, ScopeInput } from "./scope.ts";

/**
 * Reads the scope of an automatic key result. References to objects that do not exist, or that belong to projects which
 * only their members see, are left out with a warning. If nothing of a list is left, it is refused, because an empty list
 * matches every issue. Those in the present scope may stay in any case: without them the
 * key result would count other issues, although the client only sends back what it has read.
 * @param present the scope as it is; null if there is none
 * @throws Refusal invalid_reference
 */
export async function readScope(ctx: InWorkspace, sent: ScopeInput, present: Scope | null): Promise<Scope> {
  const { project_ids: projects = [], issue_types = [], assignee_id = null } = sent;
  const dropped: Record<string, string[]> = {};
  const keep = (field: keyof Scope, refs: readonly string[], idOf: (ref: string) => string | undefined): string[] => {
    const stay = new Set([present?.[field] ?? []].flat());
    const idFor = (ref: string) => idOf(ref) ?? uuidsIn([ref]).find((id) => stay.has(id));
    const missing = refs.filter((ref) => idFor(ref) === undefined);
    if (missing.length > 0 && missing.length === refs.length) {
      refuseReference(field === "assignee_id" ? "/scope/assignee_id" : `/scope/${field}/0`, missing[0]);
    }
    if (missing.length > 0) dropped[field] = missing;
    return [...new Set(refs.flatMap((ref) => idFor(ref) ?? []))];
  };

  const known = projects.length > 0 ? await findProjects(ctx, projects, uuidsIn(projects)) : new Map<string, string>();
  const project_ids = keep("project_ids", projects, (ref) => known.get(referenceKey(ref)));

  const lists = Object.fromEntries(LISTS_OF_IDS.map((list) => [list, sent[list] ?? []])) as Record<ListOfIds, string[]>;
  const found = LISTS_OF_IDS.some((list) => lists[list].length > 0)
    ? await findListed(ctx, mapValues(lists, uuidsIn))
    : null;
  const ids = mapValues(lists, (refs, list) =>
    keep(list, refs, (ref) => {
      const id = readId(ref);
      return id && found?.get(list)?.has(id) ? id : undefined;
    }),
  );

  const assignee =
    assignee_id && (await findPeople(ctx.db, ctx.workspace.id, [assignee_id], ctx.principal, "workspace"));
  const [person = null] = keep(
    "assignee_id",
    assignee_id ? [assignee_id] : [],
    (ref) => (assignee || undefined)?.get(referenceKey(ref))?.id,
  );
  warn(ctx, dropped);
  return { project_ids, issue_types: [...new Set(issue_types)], assignee_id: person, ...ids };
}

const uuidsIn = (refs: readonly string[]): string[] => refs.flatMap((ref) => readId(ref) ?? []);

const mapValues = <Value, Result>(
  lists: Record<ListOfIds, Value>,
  to: (value: Value, list: ListOfIds) => Result,
): Record<ListOfIds, Result> =>
  Object.fromEntries(LISTS_OF_IDS.map((list) => [list, to(lists[list], list)])) as Record<ListOfIds, Result>;

function warn(ctx: InWorkspace, dropped: Record<string, string[]>): void {
  const fields = Object.keys(dropped);
  if (fields.length === 0) return;
  ctx.warnings.push({
    code: "references_dropped",
    message: `Some references in ${fields.join(", ")} were left out, because the objects do not exist or belong to projects that only their members see.`,
    dropped,
  });
}
