import { z } from "zod";
import type { InWorkspace, WithCredential } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { shownEmail } from "../../kernel/email.ts";
import { PLANS } from "../../kernel/plans.ts";
import { KEY_KINDS } from "../../kernel/principal.ts";
import { ROLES } from "../../kernel/roles.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutMe, aboutMyAgent, aboutMyUser, aboutMyWorkspace } from "./descriptions.ts";

/** The identity of a key. The only object with names in camelCase. */
export const MeView = view("Me", aboutMe, {
  keyId: id,
  name: z.string(),
  workspaceSlug: z.string(),
  scopes: z.array(z.string()),
  expiresAt: timestamp.nullable(),
  kind: z.enum(KEY_KINDS),
  prefix: z.string(),
  role: z.enum(ROLES).nullable(),
  user: part(aboutMyUser, { id, name: z.string().nullable(), email: z.string().nullable() }).nullable(),
  agent: part(aboutMyAgent, { id, name: z.string().nullable() }).nullable(),
  workspace: part(aboutMyWorkspace, { id, slug: z.string(), name: z.string(), plan: z.enum(PLANS) }),
  projectIds: z.array(id).nullable(),
  rateLimitPerMinute: z.number().int(),
});

/** Describes the calling key. No scope is needed. */
export async function describeCaller(ctx: InWorkspace & WithCredential): Promise<z.input<typeof MeView>> {
  const { principal, credential, workspace } = ctx;
  const { user_id: userId, user_name: name, user_email: email } = principal;
  const person = principal.user_kind === "person";
  // Pages know their visitor and do not call this.
  if (credential.kind === "session") throw new Error("A session has no key to describe.");
  return {
    keyId: credential.id,
    name: credential.name,
    workspaceSlug: workspace.slug,
    scopes: credential.scopes,
    expiresAt: credential.token_expires_at,
    kind: credential.kind,
    prefix: credential.prefix,
    role: principal.role,
    user: person ? { id: userId, name, email: email && shownEmail(email) } : null,
    agent: person ? null : { id: userId, name },
    workspace: { id: workspace.id, slug: workspace.slug, name: workspace.name, plan: workspace.plan },
    projectIds: principal.project_ids,
    rateLimitPerMinute: credential.rate_limit_per_minute ?? ctx.settings.rateLimitPerMinute,
  };
}
