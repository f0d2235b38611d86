import { describe, expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

const eventsOf = ({ sql, workspace }: World, projectId: string) =>
  sql<{ type: string; data: Record<string, unknown>; previous: Record<string, unknown>; changed: string[] }>(
    `select type, data, previous, changed from event where workspace_id = $1 and project_id = $2 order by id`,
    [workspace.id, projectId],
  );

describe("creating", () => {
  test("a project needs a name only and comes with the default board", async () => {
    const here = await world();
    const { owner, workspace } = here;
    const { data } = await owner.post("W/projects", { name: "Café Relaunch 2027" }).expect(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      key: "CAFERELAUN",
      slug: "caferelaun",
      name: "Café Relaunch 2027",
      description_md: null,
      lead_user_id: null,
      scoped: false,
      estimation_unit: "time",
      archived_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: data.created_at,
      icon: null,
      color: null,
      start_at: null,
      start_on: null,
      target_at: null,
      target_on: null,
      issue_counts: { backlog: 0, todo: 0, in_progress: 0, in_review: 0, done: 0, failed: 0, cancelled: 0 },
      default_status_id: expect.any(String),
      default_assignee_id: null,
      transition_rules: null,
      wip_mode: "off",
      enforce_blockers: false,
      auto_start: false,
      my_role: null,
      url: `https://muster.test/w/${workspace.slug}/p/caferelaun`,
      created_by: owner.userId,
    });
    const board = (await owner.get(`W/projects/${data.key}/statuses`).expect(200)).data;
    expect(board.map((column: { name: string; category: string }) => [column.name, column.category])).toEqual([
      ["Backlog", "backlog"],
      ["To Do", "todo"],
      ["In Progress", "in_progress"],
      ["In Review", "in_review"],
      ["Done", "done"],
      ["Cancelled", "cancelled"],
    ]);
    expect(board.filter((column: { is_default: boolean }) => column.is_default)).toMatchObject([
      { id: data.default_status_id, name: "To Do" },
    ]);
    const issue = (await owner.post(`W/projects/${data.slug}/issues`, { title: "First" }).expect(201)).data;
    expect(issue).toMatchObject({ key: "CAFERELAUN-1", status_id: data.default_status_id });
    expect((await eventsOf(here, data.id))[0]).toMatchObject({ type: "project.created", data });
  });

  test("every field that is sent is stored", async () => {
    const { owner, as } = await world();
    const lead = await as({ role: "member" });
    const friend = await as({ role: "viewer" });
    const body = {
      key: "shop",
      slug: "web-shop",
      name: " Web shop ",
      description: "# Aim",
      lead_user_id: lead.email.toUpperCase(),
      scoped: true,
      estimation_unit: "POINTS",
      icon: "🛒",
      color: "#1a2B3c",
      start_at: "2027-01-01",
      target_at: "2027-03-31T12:00:00+02:00",
      statuses: [
        { name: "Ideas", color: "#111111", category: "backlog" },
        { name: "Open", category: "unstarted" },
        { name: "Shipped", category: "completed" },
      ],
      member_ids: [friend.userId, friend.email, "me", lead.userId],
    };
    const { data } = await owner.post("W/projects", body).expect(201);
    expect(data).toMatchObject({
      key: "SHOP",
      slug: "web-shop",
      name: "Web shop",
      description_md: "# Aim",
      lead_user_id: lead.userId,
      scoped: true,
      estimation_unit: "points",
      icon: "🛒",
      color: "#1a2B3c",
      start_at: "2027-01-01T00:00:00.000Z",
      target_at: "2027-03-31T10:00:00.000Z",
      my_role: "admin",
    });
    const board = (await owner.get("W/projects/SHOP/statuses").expect(200)).data;
    expect(board).toMatchObject([
      { name: "Ideas", color: "#111111", category: "backlog", is_default: false },
      { name: "Open", category: "todo", is_default: true },
      { name: "Shipped", category: "done", is_default: false },
    ]);
    for (const ref of ["shop", "SHOP", "web-shop", "Web-Shop", data.id, data.id.toUpperCase()]) {
      expect((await owner.get(`W/projects/${ref}`).expect(200)).data).toEqual(data);
    }
    expect((await friend.get("W/projects/SHOP").expect(200)).data).toEqual({ ...data, my_role: "member" });
    expect((await lead.get("W/projects/SHOP").expect(200)).data).toEqual({ ...data, my_role: "member" });
  });

  test("a key is derived from the name: letters and digits, and a number where it is taken", async () => {
    const { owner } = await world();
    const keyFor = async (name: string) => (await owner.post("W/projects", { name }).expect(201)).data.key;
    expect(await keyFor("Web")).toBe("WEB2");
    expect(await keyFor("web!")).toBe("WEB3");
    expect(await keyFor("2027: a plan")).toBe("APLAN");
    expect(await keyFor("日本語")).toBe("RIBENYU");
    expect(await keyFor("русский")).toBe("RUSSKIY");
    expect(await keyFor("Infrastructure")).toBe("INFRASTRUC");
    expect(await keyFor("Infrastructure")).toBe("INFRASTRU2");
  });

  test("a key or slug of another project is taken, even if that is archived", async () => {
    const { owner, project } = await world();
    const taken = async (body: object, path: string, existing: string) => {
      const { body: problem } = await owner
        .post("W/projects", { name: "Other", ...body })
        .expect(409, "already_exists");
      expect(problem.error.details).toMatchObject({ path, existing_id: existing });
    };
    await taken({ key: "web" }, "/key", project.id);
    await taken({ key: "NEW", slug: "web" }, "/slug", project.id);
    const shop = (await owner.post("W/projects", { name: "Shop", key: "SHOP", slug: "store" }).expect(201)).data;
    await taken({ key: "STORE" }, "/key", shop.id);
    await taken({ key: "NEW", slug: "shop" }, "/slug", shop.id);
    await owner.delete("W/projects/SHOP").expect(200);
    await taken({ key: "SHOP" }, "/key", shop.id);
  });

  test("an invalid project is rejected with its errors", async () => {
    const { owner } = await world();
    const refusals: [object, string, string][] = [
      [{}, "/name", "required"],
      [{ name: " " }, "/name", "too_short"],
      [{ name: "x".repeat(101) }, "/name", "too_long"],
      [{ name: "x", key: "1A" }, "/key", "pattern"],
      [{ name: "x", key: "TOOLONGAKEY" }, "/key", "too_long"],
      [{ name: "x", key: "A-B" }, "/key", "pattern"],
      [{ name: "x", slug: "Upper" }, "/slug", "pattern"],
      [{ name: "x", slug: "a--b" }, "/slug", "pattern"],
      [{ name: "x", slug: "01890a5d-ac96-774b-bcce-b302099a8057" }, "/slug", "pattern"],
      [{ name: "x", color: "red" }, "/color", "pattern"],
      [{ name: "x", estimation_unit: "hours" }, "/estimation_unit", "not_allowed"],
      [{ name: "x", start_at: "2027-02-01", target_at: "2027-01-31" }, "/target_at", "too_small"],
      [{ name: "x", statuses: [] }, "/statuses", "too_few_items"],
      [{ name: "x", statuses: [{ name: "A" }, { name: "a" }] }, "/statuses", "duplicate"],
      [
        { name: "x", statuses: Array.from({ length: 13 }, (_, n) => ({ name: `S${n}` })) },
        "/statuses",
        "too_many_items",
      ],
    ];
    for (const [body, path, code] of refusals) {
      const { body: problem } = await owner.post("W/projects", body).expect(400, "validation_failed");
      expect(problem.error.details.errors[0], JSON.stringify(body)).toMatchObject({ path, code });
    }
    await owner.post("W/projects", { name: "x", lead_user_id: "nobody@nowhere.test" }).expect(400, "invalid_reference");
    await owner.post("W/projects", { name: "x", member_ids: ["me", "who"] }).expect(400, "invalid_reference");
    await owner.post("W/projects", { name: "x", colour: "#112233" }).expect(400, "unknown_field");
    expect((await owner.get("W/projects").expect(200)).data).toHaveLength(1);
  });

  test("a person of another workspace can be neither lead nor member", async () => {
    const { owner, other } = await world();
    const stranger = (await other()).owner;
    for (const ref of [stranger.userId, stranger.email]) {
      await owner.post("W/projects", { name: "x", lead_user_id: ref }).expect(400, "invalid_reference");
      await owner.post("W/projects", { name: "x", member_ids: [ref] }).expect(400, "invalid_reference");
      await owner.patch("P", { lead_user_id: ref }).expect(400, "invalid_reference");
      await owner.patch("P", { default_assignee_id: ref }).expect(400, "invalid_reference");
    }
  });

  test("members can create projects; viewers, guests and keys limited to projects cannot", async () => {
    const { as, owner, keyFor, project } = await world();
    await (await as({ role: "member", scopes: ["write"] })).post("W/projects", { name: "Mine" }).expect(201);
    await (await as({ role: "viewer" })).post("W/projects", { name: "No" }).expect(403, "insufficient_role");
    await (await as({ role: "guest" })).post("W/projects", { name: "No" }).expect(403, "insufficient_role");
    await (await as({ role: "member", scopes: ["read"] })).post("W/projects", { name: "No" }).expect(403);
    const limited = await keyFor(owner, { projectIds: [project.id] });
    await limited.post("W/projects", { name: "No" }).expect(403, "key_project_limit");
  });

  test("of parallel creates at the cap, as many succeed as the plan allows", async () => {
    const { owner, workspace } = await world({ plan: "free" });
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => owner.post("W/projects", { name: `Project ${n}` })),
    );
    const made = replies.filter((reply) => reply.status === 201);
    expect(made).toHaveLength(4);
    for (const reply of replies.filter((one) => one.status !== 201)) {
      expect(reply.status).toBe(403);
      expect(reply.body.code).toBe("plan_limit_reached");
      expect(reply.body.error.details).toMatchObject({ plan: "free", limit: 5, used: 5 });
    }
    expect(new Set(made.map((reply) => reply.data.key)).size).toBe(4);
    expect((await owner.get("W/usage").expect(200)).data.caps.projects).toEqual({ used: 5, limit: 5 });
    expect((await owner.get(`/v1/workspaces/${workspace.slug}`).expect(200)).data.project_count).toBe(5);
  });

  test("of parallel creates with one key, one succeeds, and the others' errors name it", async () => {
    const { owner } = await world();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => owner.post("W/projects", { name: "Shop", key: "SHOP" })),
    );
    const [made, ...more] = replies.filter((reply) => reply.status === 201);
    expect(more).toEqual([]);
    for (const reply of replies.filter((one) => one !== made)) {
      expect(reply.status).toBe(409);
      expect(reply.body.error.details.existing_id).toBe(made?.data.id);
    }
  });

  test("two requests with one Idempotency-Key create one project", async () => {
    const { owner } = await world();
    const headers = { "idempotency-key": "make-shop" };
    const first = await owner.post("W/projects", { name: "Shop" }, { headers }).expect(201);
    const second = await owner.post("W/projects", { name: "Shop" }, { headers }).expect(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("listing", () => {
  test("projects are sorted by name, ignoring case, paged, and include archived ones on request", async () => {
    const { owner } = await world();
    for (const name of ["beta", "Alpha", "gamma", "Beta"]) await owner.post("W/projects", { name }).expect(201);
    const gone = (await owner.post("W/projects", { name: "Zeta" }).expect(201)).data;
    await owner.delete(`W/projects/${gone.key}`).expect(200);

    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await owner.get(`W/projects?limit=2${cursor ? `&cursor=${cursor}` : ""}`).expect(200);
      expect(body.data.length).toBeLessThanOrEqual(2);
      names.push(...body.data.map((project: { name: string }) => project.name));
      cursor = body.pagination.next_cursor;
    } while (cursor !== null);
    expect(names).toEqual(["Alpha", "beta", "Beta", "gamma", "Website"]);

    const archived = (await owner.get("W/projects?archived=true").expect(200)).data;
    expect(archived).toEqual([(await owner.get(`W/projects/${gone.key}`).expect(200)).data]);
    expect((await owner.get("W/projects?archived=false").expect(200)).data).toHaveLength(5);
    await owner.get("W/projects?archived=maybe").expect(400, "invalid_parameter");
    await owner.get("W/projects?cursor=nonsense").expect(400, "invalid_cursor");
  });

  test("names that Node and Postgres convert to lower case differently are paged without loss", async () => {
    const { owner } = await world();
    const names = ["İstanbul", "ıslak", "Straße", "STRASSE", "Ångström", "Ωmega", "z", "Z"];
    for (const name of names) await owner.post("W/projects", { name }).expect(201);
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { body } = await owner.get(`W/projects?limit=1&cursor=${cursor}`).expect(200);
      seen.push(body.data[0].name);
      cursor = body.pagination.next_cursor;
      if (!cursor) break;
    }
    expect(seen.toSorted()).toEqual([...names, "Website"].toSorted());
  });

  test("for every role, the list has exactly the projects that can be read", async () => {
    const here = await world();
    const { owner, as, keyFor, project } = here;
    const member = await as({ role: "member" });
    const guest = await as({ role: "guest", projectRole: "member" });
    const stranger = await as({ role: "guest" });
    const viewer = await as({ role: "viewer" });
    const scoped = (
      await owner.post("W/projects", { name: "Secret", scoped: true, member_ids: [viewer.userId] }).expect(201)
    ).data;
    const open = (await owner.post("W/projects", { name: "Open" }).expect(201)).data;
    const limited = await keyFor(owner, { projectIds: [open.id] });

    const expected: [typeof owner, string[]][] = [
      [owner, ["Open", "Secret", "Website"]],
      [await as({ role: "admin" }), ["Open", "Secret", "Website"]],
      [member, ["Open", "Website"]],
      [viewer, ["Open", "Secret", "Website"]],
      [guest, ["Website"]],
      [stranger, []],
      [limited, ["Open"]],
    ];
    for (const [client, names] of expected) {
      const listed = (await client.get("W/projects").expect(200)).data;
      expect(listed.map((one: { name: string }) => one.name)).toEqual(names);
      for (const { id, name } of [scoped, open, { ...project, name: "Website" }]) {
        const seen = names.includes(name);
        const { data } = await client.get(`W/projects/${id}`).expect(seen ? 200 : 404);
        if (seen) expect(listed).toContainEqual(data);
      }
    }
  });

  test("counts of issues by category follow the board", async () => {
    const { owner, columns } = await world();
    for (const column of ["To Do", "To Do", "In Progress", "Done"]) {
      await owner.post("P/issues", { title: "x", status_id: columns[column] }).expect(201);
    }
    await owner.post("P/issues/WEB-4/transition", { status: "failed" }).expect(400, "invalid_reference");
    await owner.post("P/issues/WEB-3/transition", { status: "done" }).expect(200);
    await owner.delete("P/issues/WEB-1").expect(200);
    const counts = { backlog: 0, todo: 1, in_progress: 0, in_review: 0, done: 2, failed: 0, cancelled: 0 };
    expect((await owner.get("P").expect(200)).data.issue_counts).toEqual(counts);
    expect((await owner.get("W/projects").expect(200)).data[0].issue_counts).toEqual(counts);
  });
});

describe("changing", () => {
  test("fields are changed, cleared and recorded with their previous values", async () => {
    const here = await world();
    const { owner, columns, as, project } = here;
    const lead = await as({ role: "member" });
    const before = (await owner.get("P").expect(200)).data;
    const rules = { [columns["To Do"]!]: [columns["In Progress"]], [columns.Done!]: [] };
    const body = {
      name: "Site",
      description_md: "About",
      lead_user_id: lead.email,
      estimation_unit: "points",
      icon: "🌍",
      color: "#123456",
      start_at: "2027-01-01",
      target_at: "2027-02-01",
      default_status_id: columns.Backlog,
      default_assignee_id: "me",
      transition_rules: rules,
      wip_mode: "warn",
      enforce_blockers: true,
      auto_start: true,
    };
    const { data } = await owner.patch("P", body).expect(200);
    expect(data).toEqual({
      ...before,
      ...body,
      lead_user_id: lead.userId,
      default_assignee_id: owner.userId,
      start_at: "2027-01-01T00:00:00.000Z",
      start_on: "2027-01-01",
      target_at: "2027-02-01T00:00:00.000Z",
      target_on: "2027-02-01",
      updated_at: expect.any(String),
    });
    expect((await owner.get("P").expect(200)).data).toEqual(data);

    const cleared = { description_md: null, lead_user_id: null, transition_rules: null, default_assignee_id: null };
    expect((await owner.patch("P", cleared).expect(200)).data).toMatchObject(cleared);
    const [first, second, ...rest] = await eventsOf(here, project.id);
    expect(first).toMatchObject({ type: "project.updated", data });
    const changed = [...Object.keys(body), "start_on", "target_on"];
    expect(first?.changed.toSorted()).toEqual(changed.toSorted());
    expect(first?.previous).toEqual(Object.fromEntries(changed.map((field) => [field, before[field]])));
    expect(second?.previous).toEqual({
      description_md: "About",
      lead_user_id: lead.userId,
      transition_rules: rules,
      default_assignee_id: owner.userId,
    });
    expect(rest).toEqual([]);
  });

  test("an empty body, or the same values again, is no change", async () => {
    const here = await world();
    const { owner, columns, project } = here;
    const [a, b] = [columns["To Do"]!, columns.Done!];
    const body = { name: "Site", transition_rules: { [b]: [a, b], [a]: [b] }, default_assignee_id: "me" };
    const { data } = await owner.patch("P", body).expect(200);
    expect((await owner.patch("P", body).expect(200)).data).toEqual(data);
    const shouting = { [a.toUpperCase()]: [b], [b]: [a.toUpperCase(), b] };
    expect((await owner.patch("P", { transition_rules: shouting }).expect(200)).data).toEqual(data);
    expect((await owner.patch("P", {}).expect(200)).data).toEqual(data);
    expect((await owner.patch("P").expect(200)).data).toEqual(data);
    expect(await eventsOf(here, project.id)).toHaveLength(1);
  });

  test("key and slug cannot change, and referenced objects must exist", async () => {
    const { owner, columns, other } = await world();
    const foreign = (await other()).columns["To Do"]!;
    await owner.patch("P", { key: "NEW" }).expect(400, "immutable_field");
    await owner.patch("P", { slug: "new" }).expect(400, "immutable_field");
    await owner.patch("P", { name: null }).expect(400, "validation_failed");
    await owner.patch("P", { default_status_id: null }).expect(400, "validation_failed");
    const real = columns["To Do"]!;
    for (const body of [
      { default_status_id: foreign },
      { default_status_id: "todo" },
      { transition_rules: { [foreign]: [real] } },
      { transition_rules: { [real]: [foreign] } },
      { transition_rules: { nonsense: [] } },
      { lead_user_id: "nobody" },
    ]) {
      await owner.patch("P", body).expect(400, "invalid_reference");
    }
    await owner.patch("P", { start_at: "2027-05-01" }).expect(200);
    await owner.patch("P", { target_at: "2027-04-30" }).expect(400, "validation_failed");
    await owner.patch("P", { target_at: "2027-04-30", start_at: null }).expect(200);
  });

  test("board rules and defaults apply to issues from the next call", async () => {
    const { owner, columns } = await world();
    await owner
      .patch("P", {
        default_status_id: columns.Backlog,
        default_assignee_id: "me",
        transition_rules: { [columns.Backlog!]: [columns["To Do"]] },
      })
      .expect(200);
    const { data } = await owner.post("P/issues", { title: "x" }).expect(201);
    expect(data).toMatchObject({ status: "backlog", assignee_id: owner.userId });
    await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(409, "transition_not_allowed");
    await owner.post("P/issues/WEB-1/transition", { status: "todo" }).expect(200);
  });

  test("only a project's admins and the admin tier decide who can see it", async () => {
    const here = await world();
    const { as, owner, project } = here;
    const member = await as({ role: "member", projectRole: "member" });
    const projectAdmin = await as({ role: "member", projectRole: "admin" });
    for (const client of [member, await as({ role: "member" })]) {
      await client.patch("P", { scoped: true, name: "Mine" }).expect(403, "insufficient_role");
      await client.patch("P", { scoped: false, name: "Ours" }).expect(200);
    }
    expect((await projectAdmin.patch("P", { scoped: true }).expect(200)).data).toMatchObject({
      scoped: true,
      my_role: "admin",
    });
    await (await as({ role: "member" })).get("P").expect(404);
    await member.patch("P", { scoped: false }).expect(403, "insufficient_role");
    await member.delete("P").expect(403, "insufficient_role");
    await projectAdmin.patch("P", { scoped: false }).expect(200);

    expect((await owner.patch("P", { scoped: true }).expect(200)).data).toMatchObject({ scoped: true, my_role: null });
    await owner.get("P").expect(200);
    const events = await eventsOf(here, project.id);
    expect(events.map((event) => event.changed)).toEqual([["name"], ["scoped"], ["scoped"], ["scoped"]]);
  });

  test("viewers of the workspace or the project change nothing", async () => {
    const { as } = await world();
    await (await as({ role: "viewer" })).patch("P", { name: "x" }).expect(403, "insufficient_role");
    await (await as({ role: "member", projectRole: "viewer" })).patch("P", { name: "x" }).expect(403);
    await (await as({ role: "guest", projectRole: "member" })).patch("P", { name: "x" }).expect(403);
    await (await as({ role: "member", scopes: ["projects:read"] })).patch("P", { name: "x" }).expect(403);
    await (await as({ role: "member", scopes: ["projects:write"] })).patch("P", { name: "x" }).expect(200);
  });

  test("parallel changes of different fields are all stored, each with its event", async () => {
    const here = await world();
    const { owner, project } = here;
    const bodies = [{ name: "Site" }, { icon: "x" }, { color: "#101010" }, { wip_mode: "warn" }, { auto_start: true }];
    await Promise.all(bodies.map((body) => owner.patch("P", body).expect(200)));
    expect((await owner.get("P").expect(200)).data).toMatchObject(Object.assign({}, ...bodies));
    expect(await eventsOf(here, project.id)).toHaveLength(bodies.length);
  });
});

describe("archiving", () => {
  test("an archived project leaves the list, is read-only, and comes back", async () => {
    const here = await world();
    const { owner, project } = here;
    await owner.post("P/issues", { title: "x" }).expect(201);
    const before = (await owner.get("P").expect(200)).data;
    const archived = (await owner.delete("P").expect(200)).data;
    expect(archived).toEqual({ ...before, archived_at: expect.stringMatching(/Z$/), updated_at: archived.archived_at });
    expect((await owner.delete("P").expect(200)).data).toEqual(archived);
    expect((await owner.get("P").expect(200)).data).toEqual(archived);
    expect((await owner.get("W/projects").expect(200)).data).toEqual([]);

    await owner.get("P/issues/WEB-1").expect(200);
    await owner.patch("P", { name: "x" }).expect(409, "archived");
    await owner.post("P/issues", { title: "y" }).expect(409, "archived");
    await owner.patch("P/issues/WEB-1", { title: "y" }).expect(409, "archived");
    await owner.post("P/statuses", { name: "y" }).expect(409, "archived");

    const back = (await owner.post("P/restore").expect(200)).data;
    expect(back).toEqual({ ...before, updated_at: back.updated_at });
    expect((await owner.post("P/restore").expect(200)).data).toEqual(back);
    await owner.post("P/issues", { title: "y" }).expect(201);
    const types = (await eventsOf(here, project.id)).map((event) => event.type);
    expect(types.filter((type) => type.startsWith("project."))).toEqual(["project.archived", "project.restored"]);
  });

  test("only project admins and the admin tier can archive and restore", async () => {
    const { as } = await world();
    const projectAdmin = await as({ role: "member", projectRole: "admin" });
    const member = await as({ role: "member", projectRole: "member" });
    const admin = await as({ role: "admin" });
    await member.delete("P").expect(403, "insufficient_role");
    await projectAdmin.delete("P").expect(200);
    await member.post("P/restore").expect(403, "insufficient_role");
    await admin.post("P/restore").expect(200);
    await admin.delete("P").expect(200);
    await projectAdmin.post("P/restore").expect(200);
  });

  test("after the restore window a project stays archived", async () => {
    const { owner, sql, project } = await world();
    await owner.delete("P").expect(200);
    await sql(`update project set archived_at = now() - interval '29 days 23 hours' where id = $1`, [project.id]);
    await owner.post("P/restore").expect(200);
    await owner.delete("P").expect(200);
    await sql(`update project set archived_at = now() - interval '30 days 1 minute' where id = $1`, [project.id]);
    await owner.post("P/restore").expect(409, "restore_window_over");
  });

  test("an archived project does not count towards the plan's limit, and a restored one does", async () => {
    const { owner } = await world({ plan: "free" });
    for (let n = 0; n < 4; n++) await owner.post("W/projects", { name: `Project ${n}` }).expect(201);
    await owner.post("W/projects", { name: "Sixth" }).expect(403, "plan_limit_reached");
    await owner.delete("P").expect(200);
    await owner.post("W/projects", { name: "Sixth" }).expect(201);
    await owner.post("P/restore").expect(403, "plan_limit_reached");
    await owner.delete("W/projects/SIXTH").expect(200);

    const replies = await Promise.all([
      owner.post("P/restore"),
      owner.post("W/projects/SIXTH/restore"),
      owner.post("W/projects", { name: "Seventh" }),
    ]);
    expect(replies.filter((reply) => reply.status < 300)).toHaveLength(1);
    expect(replies.filter((reply) => reply.body.code === "plan_limit_reached")).toHaveLength(2);
  });

  test("parallel archives archive once", async () => {
    const here = await world();
    const replies = await Promise.all(Array.from({ length: 6 }, () => here.owner.delete("P").expect(200)));
    expect(new Set(replies.map((reply) => reply.data.archived_at)).size).toBe(1);
    expect(await eventsOf(here, here.project.id)).toHaveLength(1);
  });
});
