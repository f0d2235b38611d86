import { readId } from "../../kernel/ids.ts";
import { hashSecret } from "../../kernel/secrets.ts";

/** What a call names: its credential, and the issue of its path. */

/**
 * How to look up a credential. OAuth access tokens have their own table; their grant is the key. The session of a
 * browser is a credential for each workspace of its person, so the workspace is part of the lookup.
 */
export type Lookup = { hash: Buffer; by: "key" | "access_token" } | { hash: Buffer; by: "session"; slug: string };

export const lookupOf = (plaintext: string): Lookup => ({
  hash: hashSecret(plaintext),
  by: plaintext.startsWith("oat_") ? "access_token" : "key",
});

const UNREVOKED = `k.revoked_at is null and (k.expires_at is null or k.expires_at > $2::timestamptz)`;

type LiveKey = { from: (hash: string, slug: string) => string; where: string; scopes: string; ends: string };

// A person's rights depend only on their role, so a session may do everything that they may.
const SESSION = `
  select s.id, 'session' as kind, 'browser' as name, '' as prefix, null::timestamptz as expires_at,
         array['admin'] as scopes, null::uuid[] as project_ids, null::integer as rate_limit_per_minute,
         s.user_id, s.user_id as created_by, ws.id as workspace_id, s.expires_at as ends_at`;

/**
 * SQL: the live key `k` of a credential. An access token is live while both the token and its grant are, a session until
 * it is closed.
 */
export const LIVE_KEY: Record<Lookup["by"], LiveKey> = {
  key: {
    from: (hash) => `api_key k on k.hash = ${hash}`,
    where: UNREVOKED,
    scopes: "k.scopes",
    ends: "k.expires_at",
  },
  access_token: {
    from: (hash) =>
      `oauth_record t on t.model = 'AccessToken' and t.hash = ${hash} join api_key k on k.id = t.grant_id`,
    where: `t.expires_at > $2::timestamptz and ${UNREVOKED}`,
    scopes: "coalesce(t.scopes, k.scopes)",
    ends: "least(t.expires_at, k.expires_at)",
  },
  session: {
    from: (hash, slug) => `
      lateral (${SESSION} from session s join workspace ws on ws.slug = ${slug} where s.hash = ${hash}) k on true`,
    where: "k.ends_at > $2::timestamptz",
    scopes: "k.scopes",
    ends: "k.ends_at",
  },
};

const ISSUE_KEY = /^([A-Za-z][A-Za-z0-9]{0,9})-(\d{1,9})$/;

/** An issue reference: KEY-N in any case, or an id. */
export type IssueRef = { by: "number"; projectKey: string; value: number } | { by: "id"; value: string | null };

export function readIssueRef(text: string): IssueRef {
  const [, projectKey, number] = ISSUE_KEY.exec(text) ?? [];
  if (projectKey && number) return { by: "number", projectKey: projectKey.toUpperCase(), value: Number(number) };
  return { by: "id", value: readId(text) };
}
