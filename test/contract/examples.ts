import { projectField } from "../../src/api/engine/named-project.ts";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { workflow } from "../automation/flows.ts";
import { announce, attach, fileOf, put } from "../support/files.ts";
import type { KeyOf, World } from "../support/world.ts";

/**
 * One valid call of every operation, by its id. Its body is the operation's own example, adapted to the test's world.
 * The contract tests derive their calls from these and the registry.
 */

export type Params = Record<string, string>;

export type Example = {
  /** Creates the objects that the path names beyond workspace and project, and returns their ids. */
  params?: (world: World) => Promise<Params>;
  /** Changes to the n-th body, so that different bodies do not collide. */
  body?: (n: number, world: World) => Record<string, unknown>;
  query?: string;
  /** Who may call it besides owners. Default: a member, or the tier that the operation requires. */
  caller?: KeyOf;
  /** Scopes that the example's body needs besides the operation's. */
  scopes?: string[];
  /** The reply's status if it differs from the operation's: 402 before payment. */
  answers?: number;
  /** For lists of objects of projects: false if guests of a project do not see them. */
  guests?: false;
  /** For lists: creates rows, if POST on the same path does not. */
  fill?: (world: World, params: Params, rows: number) => Promise<unknown>;
  /** For lists: the maximum number of rows that can be created. */
  most?: number;
};

const issue = async ({ owner }: World): Promise<Params> => {
  const { data } = await owner.post("P/issues", { title: "Target" }).expect(201);
  return { issueKey: data.id };
};

const archivedIssue = async (world: World): Promise<Params> => {
  const params = await issue(world);
  await world.owner.delete(`P/issues/${params.issueKey}`).expect(200);
  return params;
};

const comment = async (world: World): Promise<Params> => {
  const params = await issue(world);
  const { data } = await world.owner.post(`P/issues/${params.issueKey}/comments`, { body_md: "Target" }).expect(201);
  return { ...params, id: data.id };
};

const timeEntry = async (world: World): Promise<Params> => {
  const params = await issue(world);
  const path = `P/issues/${params.issueKey}/time/entries`;
  const { data } = await world.owner.post(path, { minutes: 30 }).expect(201);
  return { ...params, entryId: data.id };
};

const created =
  (path: string, body: Record<string, unknown>, param = "id") =>
  async ({ owner }: World): Promise<Params> => {
    const { data } = await owner.post(path, body).expect(201);
    return { [param]: data.id };
  };

// Nothing listens there. Workers make deliveries, and these tests run none.
const hook = { url: "http://127.0.0.1:9/hook", event_types: ["issue.created"] };
const webhook = created("W/webhooks", hook);
const failedDelivery = async (world: World): Promise<Params> => {
  const { id } = await webhook(world);
  const [deliveryId, eventId] = [newId(), newId()];
  await world.sql(
    `with written as (
       insert into event (id, workspace_id, type, actor_kind, cause, data, created_at)
       values ($4, $1, 'issue.created', 'system', '{}', '{}', '2026-01-01'))
     insert into webhook_delivery
       (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, final, sequence, created_at)
     values ($3, $1, $2, $4, 'issue.created', 1, 'failed', true, 1, now())`,
    [world.workspace.id, id, deliveryId, eventId],
  );
  return { id: id!, deliveryId };
};
const apiKey = created("W/api-keys", { name: "Target", scopes: ["api_keys:read"] });
const oauthApp = async ({ owner }: World): Promise<Params> => {
  const body = { name: "Target", redirect_uris: ["https://app.example.com/callback"], scopes: ["oauth_apps:read"] };
  const { data } = await owner.post("W/oauth-apps", body).expect(201);
  return { clientId: data.client_id };
};
const savedView = created("P/saved-views", { name: "Target" });
const status = created("P/statuses", { name: "Target", category: "todo" });

const doc = async (world: World): Promise<Params> =>
  created("W/docs", { title: "Target", project: world.project.id })(world);
const docComment = async (world: World): Promise<Params> => {
  const { id } = await doc(world);
  const { data } = await world.owner.post(`W/docs/${id}/comments`, { body_md: "Target" }).expect(201);
  return { id: id!, commentId: data.id };
};
/** The first version of a doc that has changed since. */
const docVersion = async (world: World): Promise<Params> => {
  const { id } = await doc(world);
  await world.owner.patch(`W/docs/${id}`, { append: "more", snapshot: true }).expect(200);
  const { data } = await world.owner.get(`W/docs/${id}/versions`).expect(200);
  return { id: id!, versionId: data.at(-1).id };
};

const label = created("P/labels", { name: "Target" });
const milestone = created("P/milestones", { name: "Target" });
const sprint = created("P/sprints", { name: "Target" });
const release = created("P/releases", { name: "Target" });
const field = created("P/custom-field-defs", { name: "Target", kind: "text" });
const fieldOfIssue = async (world: World): Promise<Params> => {
  const { id: fieldId } = await field(world);
  return { ...(await issue(world)), fieldId: fieldId as string };
};

const workspaceView = created("W/views", { name: "Target" });
const portfolio = created("W/portfolios", { name: "Target" }, "portfolioId");

/** Names of channels are unique in a workspace, which may have several projects. */
const names = new Map<string, number>();
const newName = ({ workspace: { id } }: World): string => {
  names.set(id, (names.get(id) ?? 0) + 1);
  return `Channel ${names.get(id)}`;
};
const channel = (world: World): Promise<Params> => {
  const body = { name: newName(world), kind: "private", project: world.project.id };
  return created("W/chat/channels", body, "channelId")(world);
};
const reaction = async (world: World): Promise<Params> => {
  const { channelId } = await channel(world);
  const messages = `W/chat/channels/${channelId}/messages`;
  const { data } = await world.owner.post(messages, { body_md: "Target" }).expect(201);
  await world.owner.post(`${messages}/${data.id}/reactions`, { emoji: "🎉" }).expect(200);
  return { channelId: channelId!, messageId: data.id, emoji: "🎉" };
};
/** Adds a member of the workspace to a channel. */
const addToChannel = async ({ as, owner }: World, channelId: string): Promise<string> => {
  const { userId } = await as({ role: "member" });
  await owner.post(`W/chat/channels/${channelId}/members`, { user_id: userId }).expect(201);
  return userId;
};

/** Notifications of the owner about a new issue. Workers write them, and these tests run none. */
async function notify(world: World, rows: number): Promise<Params> {
  const { issueKey } = await issue(world);
  const [first] = await world.sql<{ id: string }>(
    `insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, issue_id, created_at)
     select uuidv7(), $1, $2, gen_random_uuid(), 'assigned', 'Target', '', $3, now() from generate_series(1, $4)
     returning id`,
    [world.workspace.id, world.owner.userId, issueKey, rows],
  );
  return { id: first!.id };
}

const form = created("P/forms", {
  title: "Target",
  fields: [{ kind: "short_text", label: "Summary", mapping: "title" }],
});
const submission = async (world: World): Promise<Params> => {
  const { id } = await form(world);
  const [sid] = await submit(world, id!, 1);
  return { id: id!, sid: sid! };
};
/** Only inserts rows. Other tests cover submissions. */
async function submit({ sql, workspace, project }: World, formId: string, rows: number): Promise<string[]> {
  const made = await sql<{ id: string }>(
    `insert into form_submission (id, workspace_id, project_id, form_id, answers, source, one_per_email, confirmed,
                                  notified, created_at)
     select gen_random_uuid(), $1, $2, $3, '{}', 'public', false, false, false, now() from generate_series(1, $4)
     returning id`,
    [workspace.id, project.id, formId, rows],
  );
  return made.map(({ id }) => id);
}

const purchase = async ({ sql, workspace, owner }: World): Promise<Params> => {
  const id = newId();
  await sql(
    `with challenge as (
       insert into payment_challenge (id, workspace_id, key_id, pack, credits, amount_cents, method, realm, request,
                                      expires_at, state, created_at)
       values ($1::text, $2, $3, 'small', 2000, 2000, 'stripe', 'muster.test', '', now(), 'failed', now()))
     insert into purchase (id, workspace_id, challenge_id, key_id, user_id, pack, credits, amount_cents, payment_type,
                           state, decline_code, asked_at, created_at, updated_at)
     values ($1::uuid, $2, $1::text, $3, $3, 'small', 2000, 2000, 'saved_card', 'failed', 'lost_card', now(), now(), now())`,
    [id, workspace.id, owner.userId],
  );
  return { id };
};

const automation = async (world: World): Promise<Params> =>
  created("W/automations", {
    name: "Target",
    trigger: "issue.created",
    project_id: world.project.id,
    actions: [{ type: "set_priority", priority: "high" }],
  })(world);

const member = async (world: World): Promise<Params> => ({ userId: (await world.as({ role: "member" })).userId });
const newcomer = (n: number, { workspace }: World) => ({ email: `new${n}@${workspace.slug}.test` });
const invite = async (world: World): Promise<Params> => {
  const { data } = await world.owner.post("W/invites", newcomer(999, world)).expect(201);
  return { id: data.id };
};

/** WEB-1 and WEB-2; the second is linked to the first. */
const pair = async ({ owner }: World): Promise<Params> => {
  await owner.post("P/issues", { title: "First" }).expect(201);
  const { data } = await owner.post("P/issues", { title: "Second" }).expect(201);
  return { issueKey: data.id };
};
const linkTo = (key: string, n: number) => ({
  kind: ["blocks", "duplicates", "relates_to"][n % 3],
  direction: "out",
  target_key: key,
});
const link = async (world: World): Promise<Params> => {
  const params = await pair(world);
  const { data } = await world.owner.post(`P/issues/${params.issueKey}/links`, linkTo("WEB-1", 0)).expect(201);
  return { ...params, id: data.id };
};

const attachment = async (world: World): Promise<Params> => {
  const { issueKey } = await issue(world);
  const { id } = await attach(world.owner, issueKey as string, Buffer.from("Target"));
  return { issueKey: issueKey as string, id };
};
/** The last upload that is not committed yet. */
const uploads = new WeakMap<World, string>();
const uploaded = async (world: World): Promise<Params> => {
  const params = await issue(world);
  const bytes = Buffer.from("Target");
  const { data } = await announce(world.owner, params.issueKey as string, fileOf(bytes)).expect(201);
  await put(data.url, data.headers, bytes).expect(200);
  uploads.set(world, data.storage_key);
  return params;
};

/** The last workflow that somebody approves. Ten votes are needed, so the stage stays active. */
const flows = new WeakMap<World, string>();
const flow = async (world: World): Promise<Params> => {
  const config = { approver_role: "member", required: 10, allow_self: true };
  const nodes = [
    { id: "review", kind: "approval", config },
    { id: "end", kind: "end" },
  ];
  const id = await workflow(world, nodes, [
    ["start", "review"],
    ["review", "end"],
  ]);
  flows.set(world, id);
  return { id };
};
/** A workflow that needs nobody, so an issue can go through it any number of times. */
const instantFlows = new WeakMap<World, string>();
const issueForInstantFlow = async (world: World): Promise<Params> => {
  instantFlows.set(world, await workflow(world, [{ id: "end", kind: "end" }], [["start", "end"]]));
  return issue(world);
};
const issueForFlow = async (world: World): Promise<Params> => {
  await flow(world);
  return issue(world);
};
const startIn = async (world: World, issueKey: string | undefined): Promise<string> => {
  const body = { workflow_id: flows.get(world) };
  return (await world.owner.post(`P/issues/${issueKey}/workflow`, body).expect(201)).data.run_id;
};
const issueInFlow = async (world: World): Promise<Params> => {
  const params = await issueForFlow(world);
  await startIn(world, params.issueKey);
  return params;
};
const workflowRun = async (world: World): Promise<Params> => {
  const { issueKey } = await issueForFlow(world);
  return { id: await startIn(world, issueKey) };
};

const admin: KeyOf = { role: "admin" };

export const examples: Readonly<Record<string, Example>> = {
  "me.get": {},

  "workspaces.list": { most: 1 },
  "workspaces.get": {},
  "workspaces.patch": { body: (n) => ({ name: `Workspace ${n}` }) },
  "workspaces.usage": {},

  "members.list": {
    async fill({ as }, _, rows) {
      for (let n = 0; n < rows; n++) await as({ role: n % 2 ? "guest" : "member", projectRole: "member" });
    },
  },
  "members.patch": { params: member, body: (n) => ({ role: n % 2 ? "viewer" : "member" }) },
  "members.delete": { params: member },
  "members.transfer-ownership": { body: (_, { owner }) => ({ user_id: owner.userId }), caller: { role: "owner" } },

  "invites.list": {},
  "invites.create": { body: newcomer },
  "invites.delete": { params: invite },

  "notifications.list": { fill: (world, _, rows) => notify(world, rows) },
  "notifications.patch": { params: (world) => notify(world, 1), body: (n) => ({ read: n % 2 === 1 }) },

  "projects.list": {},
  "projects.create": { body: (n) => ({ name: `Project ${n}`, key: `P${n}` }) },
  "projects.get": {},
  "projects.patch": { body: (n) => ({ name: `Renamed ${n}` }) },
  "projects.delete": {},
  "projects.restore": {},

  "project-members.list": {
    async fill({ as }, _, rows) {
      for (let n = 0; n < rows; n++) await as({ role: "member", projectRole: "member" });
    },
  },
  "project-members.create": {
    body: (n, { owner }) => ({ user_id: owner.userId, role: n % 2 ? "viewer" : "member" }),
    caller: admin,
  },
  "project-members.delete": { params: member, caller: admin },

  "reports.get": { params: async () => ({ report: "workload" }), query: "format=json" },

  "saved-views.list": {},
  "saved-views.create": { body: (n) => ({ name: `View ${n}`, filter: { q: `x${n}` } }) },
  "saved-views.patch": { params: savedView, body: (n) => ({ name: `View ${n}` }), caller: admin },
  "saved-views.delete": { params: savedView, caller: admin },

  "statuses.list": { most: 12 },
  "statuses.create": { body: (n) => ({ name: `Column ${n}` }) },
  "statuses.patch": { params: status, body: (n) => ({ name: `Column ${n}` }) },
  "statuses.delete": { params: status },

  "issues.list": {},
  "issues.create": { body: (n, { owner }) => ({ title: `Issue ${n}`, assignee_ids: [owner.userId], story_points: n }) },
  "issues.bulk-create": { body: (n) => ({ items: [{ title: `Issue ${n}` }, { title: "Another" }] }) },
  "issues.get": { params: issue },
  "issues.patch": { params: issue, body: (n) => ({ title: `Renamed ${n}` }) },
  "issues.delete": { params: issue },
  "issues.restore": { params: archivedIssue },
  "issues.transition": { params: issue },
  "issues.activity": {
    params: issue,
    async fill({ owner }, { issueKey }, rows) {
      for (let n = 0; n < rows; n++) await owner.patch(`P/issues/${issueKey}`, { story_points: n }).expect(200);
    },
  },

  "links.list": {
    params: issue,
    async fill({ owner }, { issueKey }, rows) {
      for (let n = 0; n < rows; n++) {
        const { data } = await owner.post("P/issues", { title: `Other ${n}` }).expect(201);
        await owner.post(`P/issues/${issueKey}/links`, linkTo(data.key, n)).expect(201);
      }
    },
  },
  "links.create": { params: pair, body: (n) => linkTo("WEB-1", n) },
  "links.delete": { params: link },

  "watchers.list": {
    params: issue,
    async fill({ as }, { issueKey }, rows) {
      for (let n = 0; n < rows; n++)
        await (await as({ role: "viewer" })).post(`P/issues/${issueKey}/watchers`).expect(200);
    },
  },
  "watchers.create": { params: issue },
  "watchers.delete": {
    async params(world) {
      const { issueKey } = await issue(world);
      const watcher = await world.as({ role: "member" });
      await watcher.post(`P/issues/${issueKey}/watchers`).expect(200);
      return { issueKey: issueKey as string, userId: watcher.userId };
    },
    caller: admin,
  },

  "custom-field-defs.list": {},
  "custom-field-defs.create": { body: (n) => ({ name: `Field ${n}` }) },
  "custom-field-defs.patch": { params: field, body: (n) => ({ name: `Field ${n}` }) },
  "custom-field-defs.delete": { params: field },
  "custom-fields.list": {
    params: issue,
    async fill({ owner, sql }, { issueKey }, rows) {
      for (let n = 0; n < rows; n++) {
        const name = `Field ${(await sql(`select from custom_field`)).length}`;
        const { data } = await owner.post("P/custom-field-defs", { name, kind: "user" }).expect(201);
        await owner.put(`P/issues/${issueKey}/custom-fields/${data.id}`, { value: "me" }).expect(200);
      }
    },
  },
  "custom-fields.set": { params: fieldOfIssue, body: (n) => ({ value: `Value ${n}` }) },
  "custom-fields.clear": { params: fieldOfIssue },

  "time.get": { params: issue },
  "time.patch": { params: issue, body: (n) => ({ estimate_minutes: n, log: { minutes: 5, note: `Entry ${n}` } }) },

  "time-entries.patch": { params: timeEntry, body: (n) => ({ minutes: n }), caller: admin },
  "time-entries.delete": { params: timeEntry, caller: admin },

  "issues.commits": {
    params: issue,
    fill: ({ sql, workspace, project }, { issueKey }, rows) =>
      sql(
        `insert into commit_ref (id, workspace_id, project_id, issue_id, provider, repo, sha, message, url, created_at)
         select gen_random_uuid(), $1, $2, $3, 'github', 'acme/web', md5(random()::text), 'Message', '', now()
         from generate_series(1, $4)`,
        [workspace.id, project.id, issueKey, rows],
      ),
  },

  "comments.list": { params: issue },
  "comments.create": {
    params: issue,
    body: (n, { owner }) => ({ body_md: `Comment ${n} for @[Olive](${owner.userId})` }),
  },
  "comments.bulk-create": { params: issue, body: (n) => ({ items: [{ body_md: `Comment ${n}` }, { body_md: "Hi" }] }) },
  // Only admins may change others' comments.
  "comments.patch": { params: comment, body: (n) => ({ body_md: `Changed ${n}` }), caller: admin },
  "comments.delete": { params: comment, caller: admin },

  "forms.list": {},
  "forms.create": { scopes: ["issues:write"], body: (n) => ({ title: `Form ${n}` }) },
  "forms.get": { params: form },
  "forms.patch": { scopes: ["issues:write"], params: form, body: (n) => ({ title: `Form ${n}` }) },
  "forms.delete": { params: form },
  "forms.fields": {
    params: form,
    fill: async ({ owner }, { id }, rows) => {
      const { fields } = (await owner.get(`P/forms/${id}`).expect(200)).data;
      const days = Array.from({ length: rows }, (_, n) => ({ kind: "date", label: `Day ${n}` }));
      await owner
        .patch(`P/forms/${id}`, { fields: [...fields.map(({ id }: Params) => ({ id })), ...days] })
        .expect(200);
    },
  },
  "forms.submissions": { params: form, fill: (world, { id }, rows) => submit(world, id!, rows) },
  "forms.submit": {
    params: created("P/forms", { title: "Target", status: "published" }),
    body: (n) => ({ answers: {}, submitter_email: `ann${n}@example.com` }),
  },
  "forms.submission": { params: submission },
  "forms.rotate-link": { params: form },
  "attachments.list": {
    params: issue,
    fill: async ({ owner }, { issueKey }, rows) => {
      for (let n = 0; n < rows; n++) await attach(owner, issueKey as string, Buffer.from(`File ${n}`));
    },
  },
  "attachments.create": { params: issue, body: (n) => ({ ...fileOf(Buffer.from("Target")), file_name: `File ${n}` }) },
  "attachments.commit": {
    params: uploaded,
    // One upload per world. Committing it again succeeds too.
    body: (_, world) => ({ storage_key: uploads.get(world), ...fileOf(Buffer.from("Target")) }),
  },
  // Only admins may delete others' attachments.
  "attachments.delete": { params: attachment, caller: admin },

  "labels.list": {},
  "labels.create": { body: (n) => ({ name: `Label ${n}` }) },
  "labels.patch": { params: label, body: (n) => ({ name: `Label ${n}` }) },
  "labels.delete": { params: label },

  "milestones.list": {},
  "milestones.create": { body: (n) => ({ name: `Milestone ${n}` }) },
  "milestones.get": { params: milestone },
  "milestones.patch": { params: milestone, body: (n) => ({ name: `Milestone ${n}` }) },
  "milestones.delete": { params: milestone },

  "sprints.list": {},
  "sprints.create": { body: (n) => ({ name: `Sprint ${n}` }) },
  "sprints.get": { params: sprint },
  "sprints.patch": { params: sprint, body: (n) => ({ name: `Sprint ${n}` }) },
  "sprints.delete": { params: sprint },

  "releases.list": {},
  "releases.create": { body: (n) => ({ name: `Release ${n}`, version: `1.${n}` }) },
  "releases.get": { params: release },
  "releases.patch": { params: release, body: (n) => ({ name: `Release ${n}` }) },
  "releases.delete": { params: release },

  // Only the creator and admins may change a view.
  "views.patch": { params: workspaceView, caller: admin },
  "views.delete": { params: workspaceView, caller: admin },
  "workspaces.issues": {
    async fill({ owner }, _, rows) {
      for (let n = 0; n < rows; n++) await owner.post("P/issues", { title: `Issue ${n}` }).expect(201);
    },
  },
  "views.issues": {
    params: workspaceView,
    async fill({ owner }, _, rows) {
      for (let n = 0; n < rows; n++) await owner.post("P/issues", { title: `Issue ${n}` }).expect(201);
    },
  },

  "workflow-runs.start": {
    params: issueForInstantFlow,
    body: (n, world) => ({ workflow_id: instantFlows.get(world), note_md: `Note ${n}` }),
  },
  "workflow-runs.cancel": { params: issueInFlow },
  "workflow-runs.list": {
    params: flow,
    async fill(world, _, rows) {
      for (let n = 0; n < rows; n++) await startIn(world, (await issue(world)).issueKey);
    },
  },
  "workflow-runs.get": { params: workflowRun },
  "workflow-runs.complete-stage": {
    params: workflowRun,
    body: (n) => ({ node_id: "review", outcome: "approved", note_md: `Note ${n}` }),
  },
  "workflow-runs.advance": { params: workflowRun, caller: admin },
  "agents.list": {
    fill: ({ sql, workspace, owner }, _, rows) =>
      sql(
        `insert into app_user (id, kind, name, agent_workspace_id, agent_owner_id, created_at, updated_at)
         select gen_random_uuid(), 'agent', 'Bot ' || n, $1, $2, now(), now() from generate_series(1, $3) n`,
        [workspace.id, owner.userId, rows],
      ),
  },
  "agents.get": { params: agent },
  // Its owner and admins.
  "agents.patch": { params: agent, caller: admin, body: (n) => ({ description: `Bot ${n}`, paused: n % 2 === 0 }) },
  "agents.delete": { params: agent, caller: admin },

  "agent-sessions.get": { params: agentSession },
  // The agent, its owner and admins.
  "agent-events.listen": { caller: { role: "member", isAgent: true } },
  "agent-sessions.patch": { params: agentSession, caller: admin },
  "agent-sessions.usage": { params: agentSession, caller: admin, body: (n) => ({ turn_id: `turn-${n}` }) },

  "portfolio-projects.list": {
    params: portfolio,
    async fill({ owner, sql }, { portfolioId }, rows) {
      const earlier = (await sql(`select from project`)).length;
      for (let n = 0; n < rows; n++) {
        const key = `Q${earlier + n}`;
        const { data } = await owner.post("W/projects", { name: `Project ${key}`, key }).expect(201);
        await owner.post(`W/portfolios/${portfolioId}/projects`, { project_id: data.id }).expect(201);
      }
    },
  },
  "portfolio-projects.delete": {
    async params(world) {
      const params = await portfolio(world);
      const body = { project_id: world.project.id };
      await world.owner.post(`W/portfolios/${params.portfolioId}/projects`, body).expect(201);
      return { ...params, projectId: world.project.id };
    },
  },
  "search.query": {
    query: "q=target",
    fill: async ({ owner }, _, rows) => {
      for (let n = 0; n < rows; n++) await owner.post("P/issues", { title: `Target ${n}` }).expect(201);
    },
  },
  "doc-comments.patch": { params: docComment, caller: admin },
  "doc-comments.delete": { params: docComment, caller: admin },
  "doc-versions.list": {
    params: doc,
    fill: async ({ owner }, { id }, rows) => {
      for (let n = 0; n < rows; n++) await owner.patch(`W/docs/${id}`, { append: `${n}`, snapshot: true }).expect(200);
    },
  },
  "doc-watchers.list": {
    params: doc,
    fill: async ({ as }, { id }, rows) => {
      for (let n = 0; n < rows; n++) await (await as({ role: "viewer" })).post(`W/docs/${id}/watchers`).expect(200);
    },
  },
  "doc-watchers.create": { params: doc },
  "doc-watchers.delete": {
    params: async (world) => ({ ...(await doc(world)), userId: world.owner.userId }),
    caller: admin,
  },
  "doc-versions.get": { params: docVersion },
  "doc-versions.restore": { params: docVersion },

  // Private ones, because only these are hidden from others.
  "chat-channels.create": { body: (_, world) => ({ name: newName(world), kind: "private" }) },
  "chat-channels.dm": { body: (_, { owner }) => ({ user_ids: [owner.userId] }) },
  "chat-members.list": {
    params: channel,
    fill: async (world, { channelId }, rows) => {
      for (let n = 0; n < rows; n++) await addToChannel(world, channelId!);
    },
  },
  "chat-members.create": { params: channel, body: (_, { owner }) => ({ user_id: owner.userId }) },
  "chat-members.patch": {
    params: async (world) => ({ ...(await channel(world)), userId: world.owner.userId }),
    caller: { role: "owner" },
  },
  "chat-members.delete": {
    async params(world) {
      const { channelId } = await channel(world);
      return { channelId: channelId!, userId: await addToChannel(world, channelId!) };
    },
  },
  "chat-messages.read": { params: channel, body: () => ({ message_id: undefined }) },
  "chat-messages.unreact": { params: reaction },

  "automations.list": { guests: false },
  "automations.create": { scopes: ["issues:write", "comments:write"] },
  "automations.dry-run": {
    scopes: ["issues:read"],
    params: async (world) => ({ ...(await automation(world)), ...(await issue(world)) }),
    body: (_, { project }) => ({ issue_key: `${project.key}-1` }),
  },
  "automations.runs": {
    params: automation,
    fill: ({ sql, workspace }, { id }, rows) =>
      sql(
        `insert into automation_run (id, workspace_id, automation_id, event_id, trigger, root_event_id, depth, plan, status,
                                     started_at, finished_at, created_at)
         select gen_random_uuid(), $1, $2, gen_random_uuid(), 'issue.created', gen_random_uuid(), 1, '{}', 'ok', now(), now(),
                now()
         from generate_series(1, $3)`,
        [workspace.id, id, rows],
      ),
  },

  "api-keys.list": {},
  "api-keys.create": { body: (n) => ({ name: `Key ${n}`, scopes: ["api_keys:read"] }) },
  "api-keys.get": { params: apiKey },
  "api-keys.patch": { params: apiKey, body: (n) => ({ name: `Key ${n}` }) },
  "api-keys.delete": { params: apiKey },
  "audit-log.list": {
    fill: async ({ owner }, _, rows) => {
      for (let n = 0; n < rows; n++) await owner.patch("W", { name: `Name ${n} ${newId()}` }).expect(200);
    },
  },
  "oauth-apps.list": {},
  "oauth-apps.create": { body: (n) => ({ name: `App ${n}`, scopes: ["oauth_apps:read"] }) },
  "oauth-apps.get": { params: oauthApp },
  "oauth-apps.delete": { params: oauthApp },

  buyCreditsSmall: { answers: 402 },
  buyCreditsMedium: { answers: 402 },
  buyCreditsLarge: { answers: 402 },
  buyCreditsCustom: { body: (n) => ({ credits: 500 + n }), answers: 402 },
  "purchases.get": { params: purchase },
  // A key saves no card.
  "cards.setup": { answers: 403 },

  "webhooks.list": {},
  "webhooks.create": { scopes: ["issues:read"], body: (n) => ({ ...hook, description: `Hook ${n}` }) },
  "webhooks.get": { params: webhook },
  "webhooks.patch": { params: webhook, body: (n) => ({ description: `Hook ${n}` }) },
  "webhooks.delete": { params: webhook },
  "webhooks.deliveries": {
    params: webhook,
    fill: ({ sql, workspace }, { id }, rows) =>
      sql(
        `insert into webhook_delivery (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, created_at)
         select gen_random_uuid(), $1, $2, gen_random_uuid(), 'issue.created', 1, 'succeeded', now()
         from generate_series(1, $3)`,
        [workspace.id, id, rows],
      ),
  },
  "webhooks.deliveries.get": { params: failedDelivery },
  "webhooks.deliveries.retry": { scopes: ["issues:read"], params: failedDelivery },
  "webhooks.replay": {
    scopes: ["issues:read"],
    params: webhook,
    body: () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
  },
  "webhooks.rotate-secret": { scopes: ["issues:read"], params: webhook },
  "webhooks.test": { scopes: ["issues:read"], params: webhook },
};

async function agent({ owner }: World) {
  const body = { name: "Bot", agent_name: "Bot", scopes: ["read"] };
  return { id: (await owner.post("W/api-keys", body).expect(201)).data.agent_id };
}

async function agentSession(world: World) {
  const { issueKey } = await issue(world);
  const body = { title: "Fix it", issue_key: issueKey };
  return { id: (await world.owner.post("W/agent-sessions", body).expect(201)).data.id };
}

/**
 * The valid call of an operation: its declared example with the adaptations of the table above. Without an entry,
 * objects in the path are created by the POST of their collection.
 */
export function exampleOf(operation: Operation): Example {
  const { example: declared, ownParams, head } = operation;
  const call: Example = { ...examples[operation.id] };
  if (!examples[operation.id] && (ownParams.length > 0 || head === "I"))
    call.params = (world) => make(operation, world);
  if (!declared && !call.body) return call;
  const body = (n: number, world: World) => ({ ...inProject(operation, world), ...call.body?.(n, world) });
  return { ...call, body: (n, world) => JSON.parse(JSON.stringify(body(n, world))) };
}

/** Examples that reference a project get the project of the world. */
const inProject = ({ body, head, example }: Operation, { project }: World) => {
  const field = head === "W" && body && projectField(body);
  return field && example && field in example ? { ...example, [field]: project.id } : example;
};

/** Creates the objects in the path of an operation below its head. */
async function make({ id, path, head, ownParams }: Operation, world: World): Promise<Params> {
  let params: Params = head === "I" ? await issue(world) : {};
  for (const param of ownParams) {
    const collection = path.slice(0, path.indexOf(`/{${param}}`));
    const post = operations.find((other) => other.method === "POST" && other.path === collection);
    if (!post) throw new Error(`test/contract/examples.ts must say what {${param}} of ${id} is.`);
    const { data } = await world.owner.post(pathOf(post, world, params), exampleOf(post).body?.(0, world)).expect(201);
    params = { ...params, [param]: data.id };
  }
  return params;
}

/** The path of a call in a world. `params` override the world's own names. */
export function pathOf({ path }: Operation, world: World, params: Params = {}): string {
  const names: Params = { slug: world.workspace.slug, key: world.project.key, ...params };
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = names[name];
    if (value === undefined) throw new Error(`The example answers no ${name} for ${path}.`);
    return encodeURIComponent(value);
  });
}

/** The path of a call that only reads, with the parameters that it needs, for more of them to be added. */
export function queried(operation: Operation, world: World, params: Params = {}): string {
  const { query } = exampleOf(operation);
  return `${pathOf(operation, world, params)}?${query ? `${query}&` : ""}`;
}

/** The lowest role that may make the call by the operation's own rule. */
export function callerOf({ tier }: Operation, { caller }: Example): KeyOf {
  if (caller) return caller;
  if (tier === "admin tier" || tier === "role owner or admin") return admin;
  return { role: "member", ...(tier ? { projectRole: "admin" } : {}) };
}
