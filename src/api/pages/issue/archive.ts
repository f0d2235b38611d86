import type { Html } from "../../../domain/kernel/html.ts";
import { act } from "../kit/pieces.ts";
import { isEditorOf } from "../project/head.ts";
import { askFirst } from "../site/confirm.ts";
import type { About } from "./page.ts";

/** Archiving, and what takes it back. */
export function archivePart({ issue, project, base, call, mayWrite }: About): Html | string {
  if (issue.archived_at !== null) {
    return project.archived_at === null && isEditorOf(call, project) ? act(`${base}/restore`, "Restore") : "";
  }
  if (!mayWrite) return "";
  return askFirst({
    ask: "Archive",
    action: `${base}/archive`,
    consequence:
      "It leaves boards, lists and search. Open sessions of agents and its workflow run are cancelled. It can be restored for 30 days.",
    confirm: `Archive ${issue.key}`,
  });
}
