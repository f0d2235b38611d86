import { newId } from "../../src/domain/kernel/ids.ts";
import type { Plan } from "../../src/domain/kernel/plans.ts";
import type { Role } from "../../src/domain/kernel/roles.ts";
import type { ProjectRole } from "../../src/domain/kernel/rows.ts";
import { newSecret } from "../../src/domain/kernel/secrets.ts";
import { type App, app } from "./app.ts";
import { Client } from "./client.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export type World = {
  app: App;
  workspace: { id: string; slug: string };
  project: { id: string; key: string };
  /** Columns of the project's board by name. */
  columns: Record<string, string>;
  /** An admin-scope key of the workspace's owner. */
  owner: Client;
  /** A key of a new member of the workspace. */
  as(who: KeyOf): Promise<Client>;
  /** Another key of a member. */
  keyFor(client: Client, key?: KeyOptions): Promise<Client>;
  nobody: Client;
  /** The same workspace with another project instead of WEB: a scoped one that only the owner can see. */
  hidden(key?: string): Promise<World>;
  /** Another tenant. */
  other(): Promise<World>;
  /** A receiver on loopback, with a webhook to it if the options include one. */
  receiver: Receiver;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
};

type KeyOptions = { scopes?: string[]; projectIds?: string[]; rateLimit?: number; expiresAt?: string; kind?: string };
export type KeyOf = KeyOptions & { role: Role; projectRole?: ProjectRole; name?: string; isAgent?: boolean };

let counter = 0;

/** A new workspace with an owner and a project WEB, so that tests do not affect each other. */
export async function world(options: { plan?: Plan; webhook?: string[] } = {}): Promise<World> {
  const running = await app();
  const { database } = running.resources;
  const sql = <Row>(text: string, values: unknown[] = []) => database.query<Row>({ text }, values);
  const slug = `w${(++counter).toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  const workspace = { id: newId(), slug };
  const ownerId = await addUser(sql, slug, "owner", "Olive Owner");
  await sql(
    `insert into workspace (id, slug, name, plan, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
    [workspace.id, slug, `Workspace ${slug}`, options.plan ?? "business"],
  );
  await sql(`insert into credit_account (workspace_id, updated_at) values ($1, now())`, [workspace.id]);
  await sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'owner', now())`, [
    workspace.id,
    ownerId,
  ]);
  const ownerKey = await addKey(sql, workspace.id, ownerId, {});
  const receiver = new LazyReceiver();

  const at = async (kind: { key: string; scoped: boolean }): Promise<World> => {
    const { project, columns } = await addProject(sql, workspace.id, ownerId, kind);
    const places = { W: `/v1/workspaces/${slug}`, P: `/v1/workspaces/${slug}/projects/${project.key}` };
    const client = (key: string | null, userId: string, email: string) =>
      new Client(running.baseUrl, places, { key, userId, email });
    const owner = client(ownerKey, ownerId, `owner@${slug}.test`);
    return {
      app: running,
      workspace,
      project,
      columns,
      owner,
      sql,
      receiver: receiver.proxy,
      nobody: client(null, "", ""),
      async as({ role, projectRole, name, isAgent = false, ...key }) {
        const local = `${role}${++counter}`;
        const userId = isAgent
          ? await addAgent(sql, workspace.id, ownerId, name ?? `Agent ${counter}`)
          : await addUser(sql, slug, local, name ?? `${role} ${counter}`);
        await sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, $3, now())`, [
          workspace.id,
          userId,
          role,
        ]);
        if (projectRole) {
          await sql(
            `insert into project_member (project_id, user_id, workspace_id, role, added_at) values ($1, $2, $3, $4, now())`,
            [project.id, userId, workspace.id, projectRole],
          );
        }
        return client(await addKey(sql, workspace.id, userId, key), userId, `${local}@${slug}.test`);
      },
      async keyFor(somebody, key = {}) {
        return client(await addKey(sql, workspace.id, somebody.userId, key), somebody.userId, somebody.email);
      },
      hidden: (key = "HID") => at({ key, scoped: true }),
      other: () => world(),
    };
  };
  const here = await at({ key: "WEB", scoped: false });
  if (options.webhook) {
    const url = await receiver.start();
    await here.owner.post("W/webhooks", { url, event_types: options.webhook }).expect(201);
  }
  return here;
}

type Sql = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

async function addUser(sql: Sql, slug: string, local: string, name: string): Promise<string> {
  const id = newId();
  await sql(
    `insert into app_user (id, kind, email, name, created_at, updated_at) values ($1, 'person', $2, $3, now(), now())`,
    [id, `${local}@${slug}.test`, name],
  );
  return id;
}

async function addAgent(sql: Sql, workspaceId: string, ownerId: string, name: string): Promise<string> {
  const id = newId();
  await sql(
    `insert into app_user (id, kind, name, agent_workspace_id, agent_owner_id, created_at, updated_at)
     values ($1, 'agent', $2, $3, $4, now(), now())`,
    [id, name, workspaceId, ownerId],
  );
  return id;
}

async function addKey(sql: Sql, workspaceId: string, userId: string, key: KeyOptions): Promise<string> {
  const secret = newSecret("wk_");
  await sql(
    `insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, project_ids,
                          rate_limit_per_minute, expires_at, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, 'test key', $5, $6, $7, $8, $9, $10, $11, $3, now(), now())`,
    [
      newId(),
      workspaceId,
      userId,
      key.kind ?? "workspace",
      secret.hash,
      secret.prefix,
      secret.last_four,
      key.scopes ?? ["admin"],
      key.projectIds ?? null,
      key.rateLimit ?? 100_000,
      key.expiresAt ?? null,
    ],
  );
  return secret.plaintext;
}

const BOARD = [
  ["Backlog", "backlog"],
  ["To Do", "todo"],
  ["In Progress", "in_progress"],
  ["In Review", "in_review"],
  ["Done", "done"],
  ["Cancelled", "cancelled"],
] as const;

/** A project as POST W/projects makes it; a test of projects compares the two. */
async function addProject(
  sql: Sql,
  workspaceId: string,
  ownerId: string,
  { key, scoped }: { key: string; scoped: boolean },
) {
  const project = { id: newId(), key };
  const columns = Object.fromEntries(BOARD.map(([name]) => [name, newId()]));
  await sql(
    `insert into project (id, workspace_id, key, slug, name, scoped, default_status_id, created_by, created_at, updated_at)
     values ($1, $2, $5, lower($5), $6, $7, $3, $4, now(), now())`,
    [project.id, workspaceId, columns["To Do"], ownerId, key, scoped ? "Hidden" : "Website", scoped],
  );
  await sql(`insert into issue_counter (project_id) values ($1)`, [project.id]);
  await sql(
    `insert into board_status (id, workspace_id, project_id, name, color, category, rank, created_at, updated_at)
     select id, $1, $2, name, '#64748b', category, 'a' || ord, now(), now()
     from unnest($3::uuid[], $4::text[], $5::text[]) with ordinality as t(id, name, category, ord)`,
    [
      workspaceId,
      project.id,
      Object.values(columns),
      BOARD.map(([name]) => name),
      BOARD.map(([, category]) => category),
    ],
  );
  return { project, columns };
}

/** Most tests need no receiver; one is started when a test first uses it. */
class LazyReceiver {
  #receiver: Receiver | undefined;

  async start(): Promise<string> {
    this.#receiver ??= await startReceiver();
    return this.#receiver.url;
  }

  readonly proxy = new Proxy({} as Receiver, {
    get: (_, property) => {
      if (!this.#receiver) throw new Error("This world has no receiver; ask for one with world({ webhook: [...] }).");
      return Reflect.get(this.#receiver, property);
    },
  });
}
