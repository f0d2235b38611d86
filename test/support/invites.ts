import { expect } from "vitest";
import type { World } from "./world.ts";

/** Mails to an address, newest first. Their content is sealed in the database. */
export async function lettersTo({ sql, app, workspace }: World, email: string) {
  const rows = await sql<{ content_sealed: string; kind: string; expires_at: string }>(
    `select content_sealed, kind, expires_at from mail where workspace_id = $1 and lower(recipient) = lower($2)
     order by created_at desc, id desc`,
    [workspace.id, email],
  );
  const { sealer } = app.resources.ports;
  return rows.map(({ content_sealed, ...row }) => ({ ...row, ...JSON.parse(sealer.open(content_sealed)) }));
}

/** Invites a person. Returns the path of the link in their mail. */
export async function inviteLink(here: World, body: { email: string } & Record<string, unknown>): Promise<string> {
  await here.owner.post("W/invites", body).expect(201);
  const [letter] = await lettersTo(here, body.email);
  const url = new URL(letter.action.url);
  expect(url.origin).toBe(new URL(here.app.resources.settings.baseUrl).origin);
  return url.pathname + url.search;
}

export const tokenOf = (link: string): string => new URL(link, "https://muster.test").searchParams.get("token")!;

/** A person with an account and no workspace. */
export async function stranger({ sql, workspace }: World, local: string): Promise<{ userId: string; email: string }> {
  const email = `${local}@${workspace.slug}.test`;
  const [row] = await sql<{ id: string }>(
    `insert into app_user (id, kind, email, created_at, updated_at)
     values (gen_random_uuid(), 'person', $1, now(), now()) returning id`,
    [email],
  );
  return { userId: row!.id, email };
}
