import { describe, expect, test } from "vitest";
import type { Writing } from "../../src/domain/kernel/context.ts";
import { createWorkspace } from "../../src/domain/tenancy/workspaces/create.ts";
import { addMember } from "../../src/domain/tenancy/workspaces/members.ts";
import { systemNow, transact } from "../support/acting.ts";
import { app } from "../support/app.ts";
import { type World, world } from "../support/world.ts";

const NO_CAP = 9_007_199_254_740_991;

const eventsOf = ({ sql, workspace }: World, type: string) =>
  sql<{ data: Record<string, unknown>; previous: Record<string, unknown>; changed: string[] }>(
    `select data, previous, changed from event where workspace_id = $1 and type = $2 order by id`,
    [workspace.id, type],
  );

describe("reading", () => {
  test("a key's list of workspaces contains exactly its own", async () => {
    const { owner, workspace, other } = await world();
    await other();
    const { body } = await owner.get("/v1/workspaces").expect(200);
    expect(body.pagination).toEqual({ next_cursor: null });
    expect(body.data).toEqual([(await owner.get("W").expect(200)).data]);
    expect(body.data[0]).toMatchObject({ id: workspace.id, slug: workspace.slug });
  });

  test("a workspace shows its plan, the caller's role and its counts", async () => {
    const { owner, workspace, as } = await world({ plan: "pro" });
    const viewer = await as({ role: "viewer", scopes: ["read"] });
    await as({ role: "guest", scopes: ["read"] });
    const { id } = (await owner.post("W/projects", { name: "Second" }).expect(201)).data;
    await owner.post("W/projects", { name: "Third" }).expect(201);
    await owner.delete(`W/projects/${id}`).expect(200);

    const { data } = await viewer.get("W").expect(200);
    expect(data).toEqual({
      id: workspace.id,
      slug: workspace.slug,
      name: `Workspace ${workspace.slug}`,
      default_locale: "en",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      plan: "pro",
      role: "viewer",
      member_count: 3,
      project_count: 2,
      timezone: "UTC",
      url: `https://muster.test/w/${workspace.slug}`,
      updated_at: data.updated_at,
    });
  });

  test("it counts only the projects that the caller sees", async () => {
    const { owner, as, keyFor, project } = await world();
    await owner.post("W/projects", { name: "Open" }).expect(201);
    await owner.post("W/projects", { name: "Secret", scoped: true }).expect(201);
    const callers = [
      owner,
      await as({ role: "member" }),
      await as({ role: "guest" }),
      await as({ role: "guest", projectRole: "member" }),
      await keyFor(owner, { projectIds: [project.id] }),
    ];
    const counts = [];
    for (const caller of callers) {
      const { project_count } = (await caller.get("W").expect(200)).data;
      expect((await caller.get("W/projects").expect(200)).data).toHaveLength(project_count);
      counts.push(project_count);
    }
    expect(counts).toEqual([3, 2, 0, 1, 1]);
  });

  test("another tenant's workspace is not found", async () => {
    const { owner, other } = await world();
    const foreign = await other();
    await owner.get(`/v1/workspaces/${foreign.workspace.slug}`).expect(404, "not_found");
    await owner.get(`/v1/workspaces/${foreign.workspace.slug}/usage`).expect(404, "not_found");
    await owner.patch(`/v1/workspaces/${foreign.workspace.slug}`, { name: "Mine" }).expect(404, "not_found");
    await owner.get("/v1/workspaces/no-such-one").expect(404, "not_found");
  });
});

describe("changing", () => {
  test("a new name is stored and recorded once; the same name again is no change", async () => {
    const here = await world();
    const { owner } = here;
    const before = (await owner.get("W").expect(200)).data;
    const { data } = await owner.patch("W", { name: "  Acme Works " }).expect(200);
    expect(data).toMatchObject({ name: "Acme Works", slug: before.slug });
    expect(data.updated_at > before.updated_at).toBe(true);
    expect((await owner.patch("W", { name: "Acme Works" }).expect(200)).data).toEqual(data);
    expect(await eventsOf(here, "workspace.updated")).toEqual([
      { data, previous: { name: before.name }, changed: ["name"] },
    ]);
  });

  test("locale and time zone come without a name and are stored in their own spelling", async () => {
    const { owner } = await world();
    const { data } = await owner.patch("W", { default_locale: "pt-br", timezone: "europe/berlin" }).expect(200);
    expect(data).toMatchObject({ default_locale: "pt-BR", timezone: "Europe/Berlin" });
    for (const timezone of ["UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires"]) {
      expect((await owner.patch("W", { timezone }).expect(200)).data.timezone).toBe(timezone);
    }
  });

  test("an invalid name, locale or time zone is refused", async () => {
    const { owner } = await world();
    const refusal = await owner.patch("W", {}).expect(400, "validation_failed");
    expect(refusal.body.error.details.errors).toEqual([expect.objectContaining({ path: "/name", code: "required" })]);
    const bodies = [
      { name: "   " },
      { name: "x".repeat(101) },
      { name: null },
      { default_locale: "english please" },
      { default_locale: "" },
      { timezone: "Mars/Olympus" },
      { timezone: "+02:00" },
    ];
    for (const body of bodies) await owner.patch("W", body).expect(400, "validation_failed");
    await owner.patch("W", { slug: "other" }).expect(400, "read_only_field");
  });

  test("only the admin tier changes a workspace", async () => {
    const { as } = await world();
    const body = { name: "Renamed" };
    await (await as({ role: "member" })).patch("W", body).expect(403, "insufficient_role");
    await (await as({ role: "viewer" })).patch("W", body).expect(403, "insufficient_role");
    await (await as({ role: "admin", scopes: ["write"] })).patch("W", body).expect(403, "insufficient_scope");
    await (await as({ role: "admin", scopes: ["workspaces:write"] })).patch("W", body).expect(200);
  });

  test("a key that is limited to projects does not change the workspace", async () => {
    const { owner, keyFor, project } = await world();
    const limited = await keyFor(owner, { projectIds: [project.id] });
    await limited.patch("W", { name: "Renamed" }).expect(403, "key_project_limit");
    expect((await limited.get("W").expect(200)).data.name).not.toBe("Renamed");
  });

  test("parallel changes of different fields are all stored", async () => {
    const { owner } = await world();
    await Promise.all([
      owner.patch("W", { name: "Acme" }).expect(200),
      owner.patch("W", { timezone: "Asia/Tokyo" }).expect(200),
      owner.patch("W", { default_locale: "ja" }).expect(200),
    ]);
    expect((await owner.get("W").expect(200)).data).toMatchObject({
      name: "Acme",
      timezone: "Asia/Tokyo",
      default_locale: "ja",
    });
  });
});

describe("usage", () => {
  test("shows the plan's caps and what is used of them", async () => {
    const { owner, workspace, as, sql } = await world({ plan: "free" });
    await as({ role: "member" });
    const viewer = await as({ role: "viewer", scopes: ["read"] });
    await as({ role: "guest" });
    await owner.post("W/projects", { name: "Second" }).expect(201);
    await sql(`update credit_account set topup_balance = 1234 where workspace_id = $1`, [workspace.id]);

    const { data } = await viewer.get("W/usage").expect(200);
    const now = new Date();
    const month = (ahead: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString();
    const bytes = 128 * 1024 ** 2;
    expect(data).toEqual({
      plan: { plan: "free", status: null, trialing: false, cycle: null, current_period_end: null },
      storage: {
        used_bytes: 0,
        cap_bytes: bytes,
        base_cap_bytes: bytes,
        addon_bytes: 0,
        remaining_bytes: bytes,
        used_pct: 0,
      },
      ai_credits: {
        monthly_grant: 25,
        used: 0,
        remaining: 25,
        topup_balance: 1234,
        daily_limit: 25,
        daily_used: 0,
        daily_remaining: 25,
      },
      seats: { used: 2, limit: null },
      guests: { used: 1, limit: 5 },
      caps: {
        projects: { used: 2, limit: 5 },
        goals: { used: 0, limit: 5 },
        portfolios: { used: 0, limit: 1 },
        enabled_workflows: { used: 0, limit: 1 },
        automations: { used: 0, limit: 0 },
        automation_runs: { used: 0, limit: 0 },
        webhooks: { used: 0, limit: 3 },
        agents: { used: 0, limit: 25 },
      },
      agent_spend: { period_usd: 0, cap_usd: null },
      period_start: month(0),
      resets_at: month(1),
    });
  });

  test("a plan without a cap says so", async () => {
    const { owner } = await world({ plan: "business" });
    const { data } = await owner.get("W/usage").expect(200);
    expect(data.caps.projects).toEqual({ used: 1, limit: null });
    expect(data.ai_credits).toMatchObject({ monthly_grant: 15_000, daily_limit: 3_000 });
    expect(data.storage.cap_bytes).toBeLessThan(NO_CAP);
  });
});

describe("creating workspaces and members, as the operator's commands do", () => {
  test("a workspace comes with its owner, who is found by e-mail whatever its case", async () => {
    const slug = `made${Date.now().toString(36)}`;
    const email = `Owner@${slug}.test`;
    const made = await write((ctx) =>
      createWorkspace(ctx, { slug, name: "Made", plan: "pro", owner: { email, name: "Olive" } }),
    );
    expect(made.workspace).toMatchObject({ slug, name: "Made", plan: "pro" });
    expect(made.owner).toMatchObject({ email, name: "Olive" });

    const second = await write((ctx) =>
      createWorkspace(ctx, { slug: `${slug}-2`, name: "Made 2", plan: "free", owner: { email: email.toLowerCase() } }),
    );
    expect(second.owner).toEqual(made.owner);
    const { database } = (await app()).resources;
    const rows = await database.query(
      {
        text: `select m.role, a.topup_balance from member m join credit_account a using (workspace_id)
               where m.workspace_id = any($1) and m.user_id = $2`,
      },
      [[made.workspace.id, second.workspace.id], made.owner.id],
    );
    expect(rows).toEqual([
      { role: "owner", topup_balance: 0 },
      { role: "owner", topup_balance: 0 },
    ]);
    await expect(
      write((ctx) => createWorkspace(ctx, { slug, name: "Again", plan: "pro", owner: { email } })),
    ).rejects.toMatchObject({ code: "already_exists", details: { existing_id: made.workspace.id } });
  });

  test("a member is added once, also when many do it at the same time", async () => {
    const here = await world();
    const email = `new@${here.workspace.slug}.test`;
    const added = await Promise.all(
      ["member", "viewer", "guest", "member"].map((role) =>
        write((ctx) =>
          addMember(ctx, here.workspace.id, role === "guest" ? email.toUpperCase() : email, role as "member"),
        ),
      ),
    );
    expect(new Set(added.map((member) => member.user_id)).size).toBe(1);
    expect(await eventsOf(here, "member.added")).toHaveLength(1);
    expect(added[0]).toMatchObject({ email: expect.stringMatching(/^new@/i), status: "active", last_active_at: null });
  });

  test("a guest is shown as a viewer of the projects that name them", async () => {
    const { workspace } = await world();
    const guest = await write((ctx) => addMember(ctx, workspace.id, `guest@${workspace.slug}.test`, "guest"));
    expect(guest).toMatchObject({ role: "viewer", is_guest: true, project_ids: [] });
  });
});

/** One transaction of an operator, outside all tenants. */
async function write<T>(work: (ctx: Writing) => Promise<T>): Promise<T> {
  const running = await app();
  return transact(running, systemNow(running), null, work);
}
