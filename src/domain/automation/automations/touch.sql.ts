import type { InWorkspace, Writing } from "../../kernel/context.ts";

/**
 * Records that the workspace's automations changed, in the transaction of the change. Workers compare the version with
 * that of the copy that they keep.
 */
export async function touchRules(ctx: Writing & Pick<InWorkspace, "workspace">): Promise<void> {
  await ctx.tx.query(
    {
      name: "touch_rules",
      text: `
        insert into automation_version (workspace_id, version) values ($1, 1)
        on conflict (workspace_id) do update set version = automation_version.version + 1`,
    },
    [ctx.workspace.id],
  );
}
