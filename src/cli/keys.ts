import { z } from "zod";
import { excessScopes, SCOPES } from "../domain/access/identity/scopes.ts";
import { createKey } from "../domain/access/keys/create.ts";
import type { Role } from "../domain/kernel/roles.ts";
import { closest } from "../domain/kernel/text.ts";
import { line } from "../domain/kernel/wire.ts";
import { command, Failure, wholeNumber } from "./command.ts";
import { memberOf, workspaceId } from "./find.ts";

const names: readonly string[] = SCOPES;

const scopes = z
  .string()
  .transform((text) => [...new Set(text.split(/[\s,]+/).filter(Boolean))])
  .superRefine((given, ctx) => {
    if (given.length === 0) ctx.addIssue({ code: "custom", message: "must name at least one scope" });
    for (const scope of given.filter((name) => !names.includes(name))) {
      const meant = closest(scope, names);
      ctx.addIssue({ code: "custom", message: `${scope} is not a scope.${meant ? ` Did you mean ${meant}?` : ""}` });
    }
  });

export const keyCommands = [
  command("key create", {
    summary: "Create a key and show it once",
    options: {
      workspace: z.string().describe("the workspace's slug"),
      user: z.string().describe("user that the key acts as: a member's e-mail address or id"),
      kind: z.enum(["workspace", "personal"]).default("workspace").describe("kind of the key"),
      scopes: scopes.describe("scopes of the key, e.g. admin or read,issues:write"),
      name: line(1, 80).default("Made by an operator").describe("name of the key"),
      rate_limit: wholeNumber
        .pipe(z.number().min(1).max(100_000))
        .optional()
        .describe("requests per minute (default: RATE_LIMIT_PER_MINUTE)"),
    },
    async run(operator, { workspace, user, kind, scopes, name, rate_limit }) {
      const key = await operator.write(async (ctx) => {
        const workspace_id = await workspaceId(ctx, workspace);
        const member = await memberOf(ctx, workspace_id, user);
        checkRole(member.role, scopes);
        return createKey(ctx, {
          workspaceId: workspace_id,
          userId: member.user_id,
          createdBy: member.user_id,
          kind,
          name,
          scopes,
          rateLimitPerMinute: rate_limit,
        });
      });
      return {
        json: { key: { ...key.view, plaintext: key.plaintext } },
        text: `${key.plaintext}\nStore it: it is not shown again. It acts as ${user} in ${workspace} (${scopes.join(", ")}).`,
      };
    },
  }),
];

/** A key has no more rights than its user's role. */
function checkRole(role: Role, scopes: readonly string[]) {
  const excess = excessScopes(role, scopes);
  if (excess.length > 0) throw new Failure(`The role ${role} does not allow these scopes: ${excess.join(", ")}.`);
}
