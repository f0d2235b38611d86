import { z } from "zod";
import { recordChange } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { changesTo } from "../../kernel/difference.ts";
import { readLocale, readTimezone } from "../../kernel/locale.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { line } from "../../kernel/wire.ts";
import { aboutWorkspace } from "./descriptions.ts";
import { WorkspaceEntity } from "./entities.ts";
import { workspaceUpdated } from "./events.ts";
import { type WorkspaceView, workspaceView } from "./view.ts";
import { readWorkspace } from "./workspaces.sql.ts";

const read = (what: string, reader: (text: string) => string | null) =>
  z
    .string()
    .max(100)
    .transform((text, ctx) => {
      const value = reader(text);
      if (value !== null) return value;
      ctx.addIssue({ code: "custom", message: `must be ${what}`, params: { code: "pattern" } });
      return z.NEVER;
    });

export const WorkspacePatchInput = inputPart(aboutWorkspace, {
  name: line(1, 100).optional(),
  default_locale: read("a language tag (BCP 47), like en or pt-BR", readLocale).optional(),
  timezone: read("a time zone (IANA), like Europe/Berlin", readTimezone).optional(),
})
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    path: ["name"],
    message: "is required, unless default_locale or timezone is sent",
    params: { code: "required" },
  })
  .meta({ id: "WorkspacePatchInput" });
export type WorkspacePatchInput = z.output<typeof WorkspacePatchInput>;

/** The workspace of the caller's key. */
export async function describe(ctx: InWorkspace): Promise<WorkspaceView> {
  return workspaceView(ctx, await readWorkspace(ctx.db, ctx.workspace.id, ctx.principal));
}

/** Changes a workspace. No event is recorded if nothing changes. */
export async function change(ctx: InWorkspace & Writing, wanted: WorkspacePatchInput): Promise<WorkspaceView> {
  await lockWorkspace(ctx, ctx.workspace.id);
  const before = await describe(ctx);
  const changes = changesTo(before, wanted);
  if (Object.keys(changes).length === 0) return before;

  const workspace = await ctx.em.findOneOrFail(WorkspaceEntity, { id: ctx.workspace.id });
  Object.assign(workspace, changes, { updated_at: ctx.now });
  await ctx.em.flush();
  const view = await describe(ctx);
  recordChange(ctx, workspaceUpdated, before, view);
  return view;
}
