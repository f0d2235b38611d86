import type { InProject } from "../../kernel/context.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import type { Named } from "./check-value.ts";
import { findVisibleDocs, findVisibleProjects } from "./named.sql.ts";
import type { FieldKind } from "./rows.ts";

/** Looks up all people, projects and docs that values name. */
export async function findNamed(ctx: InProject, values: { kind: FieldKind; value: unknown }[]): Promise<Named> {
  const refs = (wanted: FieldKind) =>
    values.flatMap(({ kind, value }) => (kind === wanted && typeof value === "string" ? [value.trim()] : []));
  const { db, workspace, project, principal } = ctx;
  return {
    people: await findPeople(db, workspace.id, refs("user"), principal, { project }),
    projects: await findVisibleProjects(ctx, refs("project")),
    docs: await findVisibleDocs(ctx, refs("doc")),
  };
}
