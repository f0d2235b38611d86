import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { inLatin } from "../../kernel/slug.ts";
import { projectNamed, takenKeys } from "./create.sql.ts";

/** Keys and slugs of new projects. The caller has locked the workspace, so a free key stays free. */

const MAX_LENGTH = 10;

/** @throws Refusal already_exists */
export async function nameProject(
  ctx: InWorkspace,
  wanted: { key?: string | undefined; slug?: string | undefined; name: string },
): Promise<{ key: string; slug: string }> {
  const key = wanted.key ?? (await freeKey(ctx, wanted.name));
  const slug = wanted.slug ?? key.toLowerCase();
  const other = await projectNamed(ctx.db, ctx.workspace.id, key, slug);
  if (other) {
    const field = other.key === key || other.slug === key.toLowerCase() ? "key" : "slug";
    const message = `The ${field} ${field === "key" ? key : slug} belongs to another project.`;
    refuse("already_exists", { message, existing_id: other.id, path: `/${field}` });
  }
  return { key, slug };
}

async function freeKey(ctx: InWorkspace, name: string): Promise<string> {
  const stem = stemOf(name);
  for (let first = 1; ; first += 100) {
    const candidates = Array.from({ length: 100 }, (_, n) => numbered(stem, first + n));
    const taken = await takenKeys(ctx.db, ctx.workspace.id, candidates);
    const free = candidates.find((key) => !taken.has(key));
    if (free) return free;
  }
}

/** Returns the name's letters and digits in Latin: `Café Site` → `CAFESITE`. A name without any gives `P`. */
function stemOf(name: string): string {
  const plain = inLatin(name)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
  return plain.replace(/^[0-9]+/, "").slice(0, MAX_LENGTH) || "P";
}

function numbered(stem: string, n: number): string {
  const digits = n === 1 ? "" : String(n);
  return stem.slice(0, MAX_LENGTH - digits.length) + digits;
}
