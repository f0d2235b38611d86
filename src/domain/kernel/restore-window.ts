import type { Ctx } from "./context.ts";
import { refuse } from "./errors.ts";

/**
 * Checks that an archived object may still be restored. After the restore window its files may be removed.
 * @throws Refusal restore_window_over
 */
export function checkRestoreWindow(ctx: Pick<Ctx, "now" | "settings">, archivedAt: string): void {
  const { restoreWindowDays } = ctx.settings;
  if (restoreWindowDays === null) return;
  const end = new Date(Date.parse(archivedAt) + restoreWindowDays * 86_400_000).toISOString();
  if (ctx.now > end) refuse("restore_window_over", { archived_at: archivedAt, window_days: restoreWindowDays });
}
