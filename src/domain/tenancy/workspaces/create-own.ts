import { z } from "zod";
import { renameUser } from "../../access/sign-in/account.sql.ts";
import { extended, type Writing } from "../../kernel/context.ts";
import { counted } from "../../kernel/counted.ts";
import { type FieldError, refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { slugFrom, workspaceSlug } from "../../kernel/slug.ts";
import { line } from "../../kernel/wire.ts";
import { createWorkspace } from "./create.ts";
import { countOwnedSince, takenSlugs } from "./create-own.sql.ts";

/** Input of a person who creates a workspace. */
export type NewWorkspace = {
  /** Empty: derived from the name. */
  slug: string;
  name: string;
  /** The person's display name. Null if it is known already. */
  personName: string | null;
};

const Input = z.object({
  slug: workspaceSlug,
  name: line(1, 100),
  your_name: line(1, 100).nullable(),
});

/**
 * Creates a workspace with the person as its owner.
 * @throws Refusal validation_failed, already_exists, rate_limited
 */
export async function createOwnWorkspace(
  ctx: Writing,
  person: { id: string; email: string; name: string | null },
  founding: NewWorkspace,
): Promise<{ slug: string }> {
  const wanted = { slug: founding.slug || slugOf(founding.name), name: founding.name, your_name: founding.personName };
  const read = Input.safeParse(wanted);
  if (!read.success) return refuse("validation_failed", { errors: read.error.issues.map(fieldError) });

  const { slug, name, your_name: personName } = read.data;
  const { defaultPlan: plan, workspacesPerDay } = ctx.settings.people;
  const since = new Date(Date.parse(ctx.now) - 86_400_000).toISOString();
  if ((await countOwnedSince(ctx.db, person.id, since)) >= workspacesPerDay) {
    refuse("rate_limited", {
      message: `You may create ${counted(workspacesPerDay, "workspace")} per day. Try again tomorrow.`,
      headers: { "Retry-After": "3600" },
    });
  }
  if (personName !== null) await renameUser(ctx.db, person.id, personName, ctx.now);
  const actor = { id: person.id, kind: "user" as const, name: personName ?? person.name };
  const owner = { email: person.email };
  const { workspace } = await createWorkspace(extended(ctx, { actor }), { slug, name, plan, owner });
  return { slug: workspace.slug };
}

const fieldError = (issue: z.core.$ZodIssue): FieldError => ({
  path: `/${issue.path.join("/")}`,
  code: "pattern",
  message: messageOf(issue),
});

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big") return `must have at most ${counted(Number(issue.maximum), "character")}`;
  if (issue.code === "too_small")
    return issue.minimum === 1 ? "is required" : `must have at least ${counted(Number(issue.minimum), "character")}`;
  return issue.message;
}

/** Derives a slug from a name. If no character of it can be used, the slug is a random one. */
export const slugOf = (name: string): string => slugFrom(name, 50) || `team-${newId().slice(-8)}`;

/** Up to three free slugs similar to one that is taken. */
export async function freeSlugsLike(ctx: Pick<Writing, "db">, wanted: string): Promise<string[]> {
  const stem = wanted.slice(0, 40).replace(/-$/, "");
  const candidates = ["team", "hq", "2", "3", "4", "5", "6", "7"].map((end) => `${stem}-${end}`);
  const taken = new Set(await takenSlugs(ctx.db, candidates));
  return candidates.filter((candidate) => !taken.has(candidate)).slice(0, 3);
}
