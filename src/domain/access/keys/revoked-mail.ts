import { type MailContent, writeMail } from "../../events/mail/mail.ts";
import { type MailText, mailText, quoted } from "../../events/mail/mail-text.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { KeyKind } from "../../kernel/principal.ts";
import { type KeyCreator, readKeyCreators } from "./creators.sql.ts";

/** Mails the creators of keys that someone else revokes. */

export type RevokedKey = {
  kind: KeyKind;
  name: string;
  prefix: string;
  last_four: string;
  user_id: string;
  created_by: string;
};

/** Maximum mails to one person from one workspace within a day. An admin may revoke any number of keys one by one. */
const MAX_PER_DAY = 20;
const MAX_NAMED = 10;
const WORTH_DAYS = 7;

/** The sentence that explains the reason. Any other reason is a text that the caller gave. */
const REASONS: ReadonlyMap<string, MailText[]> = new Map([
  ["user", []],
  ["member_removed", [mailText`Keys are revoked when the person who created them leaves the workspace.`]],
  ["agent_removed", [mailText`Keys are revoked when their agent is removed.`]],
  [
    "leaked",
    [mailText`One of its secrets was used a second time, so someone else may have it. Check what was done with it.`],
  ],
]);

/**
 * Writes one mail to each creator of the keys just revoked, in the transaction that revoked them. People get no mail
 * about keys that they revoke themselves, or about keys that an agent gives up.
 */
export async function mailKeyCreators(
  ctx: Ctx,
  workspaceId: string,
  revoked: readonly RevokedKey[],
  reason: string,
): Promise<void> {
  const { actor, settings, now } = ctx;
  const others = revoked.filter((key) => key.created_by !== actor.id && key.user_id !== actor.id);
  if (others.length === 0 || !settings.people.mail) return;
  const ids = [...new Set(others.map((key) => key.created_by))];
  for (const creator of await readKeyCreators(ctx.db, workspaceId, { ids, since: inDays(now, -1) })) {
    const revokedKeys = others.filter((key) => key.created_by === creator.id);
    if (creator.mails_sent >= MAX_PER_DAY) continue;
    const content = revokedMail(ctx, creator, revokedKeys, reason);
    await writeMail(ctx, {
      kind: "key_revoked",
      workspaceId,
      to: creator.email,
      content,
      expiresAt: inDays(now, WORTH_DAYS),
    });
  }
}

function revokedMail({ actor, settings }: Ctx, creator: KeyCreator, keys: RevokedKey[], reason: string): MailContent {
  const { workspace_name: workspace, workspace_slug: slug } = creator;
  const { one, subject, ended } = wordsFor(keys);
  const by = actor.name ?? "someone";
  const rest = keys.length - MAX_NAMED;
  return {
    subject,
    lines: [
      actor.id === null
        ? mailText`In the workspace ${workspace}, ${ended}:`
        : mailText`In the workspace ${workspace}, ${ended} by ${by}:`,
      ...keys.slice(0, MAX_NAMED).map(nameOf),
      ...(rest > 0 ? [mailText`and ${rest} more.`] : []),
      ...(REASONS.get(reason) ?? [quoted(mailText`Reason:`, reason)]),
      mailText`Programs can no longer use ${one ? "it" : "them"}.`,
    ],
    ...(creator.is_member
      ? { action: { label: mailText`Open your keys`, url: `${settings.baseUrl}/w/${slug}/developer` } }
      : {}),
    footnotes: [
      mailText`You get this mail because ${one ? "it was" : "they were"} yours. If you don't know why, ask an owner of the workspace.`,
    ],
  };
}

function wordsFor(keys: RevokedKey[]): { one: boolean; subject: MailText; ended: string } {
  const [{ kind, name }] = keys as [RevokedKey];
  if (keys.length > 1) {
    const subject = mailText`${keys.length} of your keys were revoked`;
    return { one: false, subject, ended: "keys that you created were revoked" };
  }
  return kind === "oauth"
    ? { one: true, subject: mailText`${name} was disconnected`, ended: "an agent that you connected was disconnected" }
    : { one: true, subject: mailText`Your key ${name} was revoked`, ended: "a key that you created was revoked" };
}

const nameOf = ({ kind, name, prefix, last_four }: RevokedKey): MailText =>
  kind === "oauth" ? mailText`the connected agent ${name}` : mailText`${name} (${prefix}…${last_four})`;

const inDays = (now: string, days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString();
