import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { newWebhookSecret } from "../../kernel/secrets.ts";
import type { Running } from "./action.ts";

/**
 * The webhooks that actions send to. An address in an action is a webhook of its automation or workflow: the same worker
 * sends to it, with the same checks, retries and signatures. Lists of webhooks and the plan's limit leave it out, but
 * admins may read and change it by its id, and get its signing secret from `rotate-secret`.
 */

export type Receiver = { id: string; disabled: boolean; project_ids: string[] | null };

const columns = `id, disabled_at is not null as disabled, project_ids`;

/** A webhook that people made. */
export async function webhookNamed({ db, workspace }: InWorkspace, id: string | null): Promise<Receiver | null> {
  if (id === null) return null;
  const text = `select ${columns} from webhook
                where workspace_id = $1 and id = $2 and owner_id is null and deleted_at is null`;
  const [row] = await db.query<Receiver>({ name: "action_webhook", text }, [workspace.id, id]);
  return row ?? null;
}

/**
 * The webhook for an address in an action. It is made when the first run sends to it. Null if its automation or workflow
 * was deleted meanwhile, and its webhooks with it.
 */
export async function receiverAt(
  ctx: InWorkspace & Writing,
  { id: ownerId, kind, name }: Running["source"],
  url: string,
): Promise<Receiver | null> {
  const present = await ownedAt(ctx, ownerId, url);
  if (present) return present;
  const secret = newWebhookSecret();
  await ctx.tx.query(
    {
      name: `action_receiver_insert_${kind}`,
      text: `
        insert into webhook (id, workspace_id, owner_id, url, url_set_by, event_types, description, secret_sealed,
                             secret_prefix, probing, consecutive_failures, created_by, created_at, updated_at)
        select $1, $2, o.id, $4, $5, '{}', $6, $7, $8, false, 0, $5, $9, $9
        from ${kind} o where o.workspace_id = $2 and o.id = $3 and o.deleted_at is null
        on conflict (owner_id, md5(url)) where owner_id is not null and deleted_at is null do nothing`,
    },
    [
      ...[newId(), ctx.workspace.id, ownerId, url, ctx.principal.user_id],
      ...[`Actions of the ${kind} ${name}`, ctx.ports.sealer.seal(secret), secret.slice(0, 11), ctx.now],
    ],
  );
  return ownedAt(ctx, ownerId, url);
}

async function ownedAt({ tx, workspace }: InWorkspace & Writing, ownerId: string, url: string) {
  const text = `select ${columns} from webhook
                where workspace_id = $1 and owner_id = $2 and md5(url) = md5($3) and deleted_at is null`;
  const [row] = await tx.query<Receiver>({ name: "action_receiver", text }, [workspace.id, ownerId, url]);
  return row ?? null;
}

/** Locks the webhooks of an automation or workflow. Like all webhooks they are locked before the workspace. */
export async function lockReceivers(ctx: InWorkspace & Writing, ownerId: string): Promise<void> {
  const text = `select id from webhook where workspace_id = $1 and owner_id = $2 and deleted_at is null
                order by id for update`;
  await ctx.tx.query({ name: "action_receivers_lock", text }, [ctx.workspace.id, ownerId]);
  ctx.waited();
}

/**
 * Deletes the webhooks of an automation or workflow for addresses that its actions no longer name. What waits for them is
 * not sent any more. The caller has locked them.
 */
export async function deleteReceivers(
  { tx, workspace, now }: InWorkspace & Writing,
  ownerId: string,
  actions: readonly { type: string; url?: string | undefined }[],
): Promise<void> {
  const urls = actions.flatMap(({ url }) => url ?? []);
  const text = `
    update webhook set deleted_at = $4, updated_at = $4
    where workspace_id = $1 and owner_id = $2 and deleted_at is null and url <> all($3::text[])`;
  await tx.query({ name: "action_receivers_delete", text }, [workspace.id, ownerId, urls, now]);
}
