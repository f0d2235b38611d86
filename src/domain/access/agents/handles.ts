import { z } from "zod";
import { refuse } from "../../kernel/errors.ts";
import { MAX_HANDLE_LENGTH } from "../../kernel/handles.ts";
import { readId } from "../../kernel/ids.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { slugFrom } from "../../kernel/slug.ts";
import { agentWithHandle, takenHandles } from "./agents.sql.ts";

/** Handles of agents: texts mention `@triage-bot`. The caller has locked the workspace, so a free one stays free. */

/** A handle in a body. It may be sent with the `@`. */
export const handle = z
  .string()
  .max(MAX_HANDLE_LENGTH + 1)
  .overwrite((text) => text.trim().replace(/^@/, "").toLowerCase())
  .regex(/^[a-z0-9](-?[a-z0-9])*$/, "Use letters a to z, digits and single hyphens between them.")
  .max(MAX_HANDLE_LENGTH)
  .refine((text) => readId(text) === null, { message: "must not look like an id", params: { code: "pattern" } });

/** @throws Refusal already_exists */
export async function checkHandle(db: Db, workspaceId: string, wanted: string): Promise<void> {
  const existing_id = await agentWithHandle(db, workspaceId, wanted);
  if (!existing_id) return;
  refuse("already_exists", { message: `Another agent has the handle ${wanted}.`, path: "/handle", existing_id });
}

/** A free handle made from a name: `Triage bot` becomes `triage-bot`, or `triage-bot-2` if that is taken. */
export async function freeHandle(db: Db, workspaceId: string, name: string): Promise<string> {
  const stem = stemOf(name);
  for (let first = 1; ; first += 100) {
    const candidates = Array.from({ length: 100 }, (_, n) => numbered(stem, first + n));
    const taken = new Set(await takenHandles(db, workspaceId, candidates));
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free) return free;
  }
}

/** The letters and digits of a name. A name without any gives `agent`. */
function stemOf(name: string): string {
  const words = slugFrom(name, MAX_HANDLE_LENGTH);
  return words && readId(words) === null ? words : "agent";
}

function numbered(stem: string, n: number): string {
  const end = n === 1 ? "" : `-${n}`;
  return stem.slice(0, MAX_HANDLE_LENGTH - end.length).replace(/-$/, "") + end;
}
