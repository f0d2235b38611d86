import { hash } from "node:crypto";
import { newId } from "../src/domain/kernel/ids.ts";
import { newSecret } from "../src/domain/kernel/secrets.ts";
import type { Bench } from "./setup.ts";

/** What pages show: people, columns, blockers and parts of issues, and one issue, doc and channel with much in them. */

export const COMMENTS = 50;
const CHANGES = 200;
const PEOPLE = 5;

/** Paths of the pages, below the workspace's. */
export type Filled = { issue: string; doc: string; channel: string };

/** Spreads the issues over five columns, and gives them people, parents and blockers. */
export async function fillBoard({ sql, ids }: Bench): Promise<void> {
  const { workspaceId, projectId, statusId } = ids;
  await sql(
    `with someone as (
       insert into app_user (id, kind, email, name, created_at, updated_at)
       select gen_random_uuid(), 'person', 'p' || n || '@bench.test', 'Person ' || n, now(), now()
       from generate_series(1, $2::int) n returning id)
     insert into member (workspace_id, user_id, role, joined_at) select $1, id, 'member', now() from someone`,
    [workspaceId, PEOPLE],
  );
  await sql(
    `insert into board_status (id, workspace_id, project_id, name, color, category, rank, created_at, updated_at)
     select gen_random_uuid(), $1, $2, name, '#64748b', category, rank, now(), now()
     from (values ('Backlog', 'backlog', 'a0'), ('In Progress', 'in_progress', 'a2'), ('In Review', 'in_review', 'a3'),
                  ('Done', 'done', 'a4')) c(name, category, rank)`,
    [workspaceId, projectId],
  );
  await sql(
    `with columns as (select array_agg(id order by rank) as ids, array_agg(category order by rank) as categories
                      from board_status where project_id = $1),
          people as (select array_agg(user_id order by user_id) as ids from member where workspace_id = $2)
     update issue i set status_id = c.ids[1 + i.number % 5], status = c.categories[1 + i.number % 5],
       assignee_ids = array[p.ids[1 + i.number % $3::int]], due_at = case when i.number % 4 = 0 then now() + interval '3 days' end,
       story_points = i.number % 8, parent_id = case when i.number % 3 = 0 then (
         select id from issue where project_id = $1 and number = i.number - 1) end
     from columns c, people p where i.project_id = $1`,
    [projectId, workspaceId, PEOPLE],
  );
  await sql(
    `update board_status s set issue_count = (select count(*) from issue where status_id = s.id) where project_id = $1`,
    [projectId],
  );
  await sql(`update project set default_status_id = $2 where id = $1`, [projectId, statusId]);
}

/** A session of the owner. Returns the cookie's header. */
export async function signIn({ sql, ids }: Bench): Promise<string> {
  const cookie = newSecret("wk_").plaintext;
  await sql(
    `insert into session (id, hash, user_id, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, now(), now(), now() + interval '1 day')`,
    [newId(), hash("sha256", cookie, "buffer"), ids.userId],
  );
  return `muster_session=${cookie}`;
}

/** Writes through the API what one page of each kind shows. */
export async function fillPages({ key }: Bench, port: number): Promise<Filled> {
  const base = `http://127.0.0.1:${port}/v1/workspaces/bench`;
  const send = async (path: string, body: object, method = "POST") => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const reply = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text.slice(0, 300)}`);
    return JSON.parse(text).data;
  };
  const text = "Some **words** with `code`, a [link](https://example.com) and\n\n- a list\n- of two points\n";
  const issue = "/projects/web/issues/WEB-500";
  await send(issue, { description_md: text.repeat(4) }, "PATCH");
  for (let n = 0; n < COMMENTS; n++) await send(`${issue}/comments`, { body_md: `Comment ${n}. ${text}` });
  for (let n = 0; n < CHANGES; n++) await send(issue, { title: `Issue about the login page, ${n}` }, "PATCH");
  for (let n = 1; n <= 40; n++) await send(`/projects/web/issues/WEB-${n * 7}/links`, blocked(n));
  await send(`${issue}/links`, { kind: "relates_to", target_key: "WEB-501" });
  await send("/agent-sessions", { title: "Look into it", issue_key: "WEB-500", note: "Reading the code" });
  const doc = await send("/docs", { title: "Handbook", project: "WEB", body_md: `# Handbook\n\n${text.repeat(100)}` });
  const channel = await send("/chat/channels", { name: "talk" });
  for (let n = 0; n < COMMENTS; n++) await send(`/chat/channels/${channel.id}/messages`, { body_md: `${n}. ${text}` });
  return { issue: "/p/web/WEB-500", doc: `/docs/${doc.id}`, channel: `/chat/${channel.id}` };
}

const blocked = (n: number) => ({ kind: "blocks", direction: "in", target_key: `WEB-${n * 7 + 1}` });
