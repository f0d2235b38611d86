import { describe, expect, test } from "vitest";
import { apply } from "../automation/acting.ts";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/** No open issue comes to a completed sprint, and work that is open again belongs to nobody who left. */

type Sprint = { id: string; name: string };
type Planned = World & { over: Sprint; next: Sprint };

/** WEB-1 is open, WEB-2 is done and in the sprint that is over. */
async function planned(): Promise<Planned> {
  const here = await world();
  const { owner } = here;
  const sprint = async (name: string) => (await owner.post("P/sprints", { name }).expect(201)).data as Sprint;
  const [over, next] = [await sprint("Over"), await sprint("Next")];
  await owner.post("P/issues", { title: "Open" }).expect(201);
  await owner.post("P/issues", { title: "Done", status: "done", sprint_id: over.id }).expect(201);
  await owner.patch(`P/sprints/${over.id}`, { status: "completed" }).expect(200);
  return { ...here, over, next };
}
const sprintOf = async ({ owner }: World, key: string) =>
  (await owner.get(`P/issues/${key}`).expect(200)).data.sprint_id;

describe("a completed sprint", () => {
  test.each<[string, (here: Planned) => ReturnType<Client["call"]>, string]>([
    ["a change", ({ owner, over }) => owner.patch("P/issues/WEB-1", { sprint_id: over.id }), "/sprint_id"],
    ["a new issue", ({ owner, over }) => owner.post("P/issues", { title: "x", sprint_id: over.id }), "/sprint_id"],
    [
      "the end of another sprint",
      ({ owner, over, next }) =>
        owner.patch(`P/sprints/${next.id}`, { status: "completed", move_open_issues_to: over.id }),
      "/move_open_issues_to",
    ],
  ])("gets no open issue by %s", async (_, call, path) => {
    const here = await planned();
    const { body } = await call(here).expect(409, "sprint_completed");
    expect(body.error.details).toMatchObject({ path, sprint_id: here.over.id });
    expect(await sprintOf(here, "WEB-1")).toBe(null);
    expect((await here.owner.get("P/issues")).data).toHaveLength(2);
  });

  test("gets no open issue of a bulk call or of a rule", async () => {
    const here = await planned();
    const { owner, over } = here;
    const items = [
      { title: "Open", sprint_id: over.id },
      { title: "Closed", sprint_id: over.id, status: "cancelled" },
    ];
    const { body } = await owner.post("P/issues/bulk", { items }).expect(207);
    expect(body.data).toMatchObject([
      { ok: false, error: { details: { code: "sprint_completed", path: "/sprint_id" } } },
      { ok: true, data: { sprint_id: over.id } },
    ]);
    const { data: open } = await owner.get("P/issues/WEB-1");
    const action = { type: "move_to_sprint", sprint_target: "specific", sprint_id: over.id };
    await expect(apply(here, action, open.id)).rejects.toMatchObject({ code: "sprint_completed" });
    expect(await sprintOf(here, "WEB-1")).toBe(null);
  });

  test("takes closed issues, and those that are closed in the same call", async () => {
    const here = await planned();
    const { owner, over } = here;
    await owner.patch("P/issues/WEB-1", { sprint_id: over.id, status: "done" }).expect(200);
    await owner.patch("P/issues/WEB-2", { sprint_id: null }).expect(200);
    await owner.patch("P/issues/WEB-2", { sprint_id: over.id }).expect(200);
  });

  test("keeps the open issues that were in it, and clients can send back what they read", async () => {
    const here = await planned();
    const { owner, next } = here;
    await owner.patch("P/issues/WEB-1", { sprint_id: next.id }).expect(200);
    await owner.patch(`P/sprints/${next.id}`, { status: "completed" }).expect(200);
    const { data: read } = await owner.get("P/issues/WEB-1").expect(200);
    expect((await owner.patch("P/issues/WEB-1", { ...read, title: "Renamed" }).expect(200)).data).toMatchObject({
      title: "Renamed",
      sprint_id: next.id,
    });
    const moved = await owner.post("P/issues/WEB-1/transition", { status: "in_progress" }).expect(200);
    expect(moved.data.sprint_id).toBe(next.id);
  });

  test("gets no open issue while it is being completed", async () => {
    const here = await world();
    const { owner } = here;
    for (let round = 0; round < 8; round++) {
      const { data: sprint } = await owner.post("P/sprints", { name: `S${round}` }).expect(201);
      const make = () => owner.post("P/issues", { title: "x", sprint_id: sprint.id });
      const { data: issue } = await owner.post("P/issues", { title: "y" }).expect(201);
      const calls = [
        make(),
        make(),
        owner.patch(`P/issues/${issue.key}`, { sprint_id: sprint.id }),
        owner.patch(`P/sprints/${sprint.id}`, { status: "completed", move_open_issues_to: "backlog" }),
      ];
      for (const { status, body } of await Promise.all(calls)) {
        if (status >= 400) expect(body.code).toBe("sprint_completed");
      }
      expect((await owner.get(`P/issues?sprint=${sprint.id}`).expect(200)).data).toEqual([]);
    }
  });

  test("is no default of a form", async () => {
    const here = await planned();
    const { owner, next } = here;
    const fields = [{ kind: "short_text", label: "What?", mapping: "title", required: true }];
    const form = { title: "Ask", status: "published", public_enabled: true, default_sprint_id: next.id, fields };
    const { data } = await owner.post("P/forms", form).expect(201);
    await owner.patch(`P/sprints/${next.id}`, { status: "completed" }).expect(200);
    const answers = { [data.fields[0].id]: "It broke" };
    await owner.post(`P/forms/${data.id}/submissions`, { answers }).expect(201);
    const [issue] = (await owner.get("P/issues?q=broke").expect(200)).data;
    expect(issue).toMatchObject({ title: "It broke", sprint_id: null });
  });
});

/** Every way to open WEB-2 again. */
const WAYS: [string, (here: World) => Promise<unknown>][] = [
  ["a transition", ({ owner }) => owner.post("P/issues/WEB-2/transition", { status: "todo" }).expect(200)],
  ["a change", ({ owner }) => owner.patch("P/issues/WEB-2", { status: "in_progress" }).expect(200)],
  [
    "the whole object",
    async ({ owner }) => {
      const { data } = await owner.get("P/issues/WEB-2").expect(200);
      const { status_id: _, status_name: __, ...rest } = data;
      return owner.patch("P/issues/WEB-2", { ...rest, status: "todo", resolved_at: undefined }).expect(200);
    },
  ],
  [
    "a rule",
    async (here) => {
      const { data } = await here.owner.get("P/issues/WEB-2").expect(200);
      return apply(here, { type: "set_status", status: "todo" }, data.id);
    },
  ],
];

describe("an issue that is opened again", () => {
  test.each(WAYS)("by %s leaves a completed sprint and people who left", async (_, open) => {
    const here = await planned();
    const { owner, over, as } = here;
    const leaver = await as({ role: "member", name: "Lea" });
    await owner.patch("P/issues/WEB-2", { assignee_ids: [leaver.userId, owner.userId] }).expect(200);
    await owner.delete(`W/members/${leaver.userId}`).expect(200);
    expect((await owner.get("P/issues/WEB-2")).data.assignees).toEqual([leaver.userId, owner.userId]);
    await open(here);
    const { data } = await owner.get("P/issues/WEB-2").expect(200);
    expect(data).toMatchObject({ sprint_id: null, assignees: [owner.userId], resolved_at: null });
    const { data: lines } = await owner.get("P/issues/WEB-2/activity?limit=5").expect(200);
    const line = (kind: string) => lines.find((one: { kind: string }) => one.kind === kind)?.payload;
    expect(line("sprint_changed")).toMatchObject({ from: over.id, to: null, from_name: "Over" });
    expect(line("unassigned")).toMatchObject({ from: [leaver.userId], from_name: "Lea" });
    const reply = await owner.post("P/issues/WEB-2/transition", { status: "done" }).expect(200);
    expect(reply.body.warnings).toBeUndefined();
  });

  test("says in its reply which sprint it left, and stays in one that is not over", async () => {
    const here = await planned();
    const { owner, over, next } = here;
    const { body } = await owner.post("P/issues/WEB-2/transition", { status: "todo" }).expect(200);
    expect(body.warnings).toMatchObject([{ code: "sprint_completed", sprint_id: over.id }]);
    await owner.patch("P/issues/WEB-2", { sprint_id: next.id, status: "done" }).expect(200);
    const again = await owner.post("P/issues/WEB-2/transition", { status: "todo" }).expect(200);
    expect([again.data.sprint_id, again.body.warnings]).toEqual([next.id, undefined]);
  });

  test("can be given a sprint and people in the same call", async () => {
    const here = await planned();
    const { owner, next, as } = here;
    const member = await as({ role: "member" });
    const wanted = { status: "todo", sprint_id: next.id, assignee_ids: [member.userId] };
    const { data, body } = await owner.patch("P/issues/WEB-2", wanted).expect(200);
    expect(data).toMatchObject({ sprint_id: next.id, assignees: [member.userId] });
    expect(body.warnings).toBeUndefined();
  });

  test("needs no right to the fields that it loses", async () => {
    const here = await planned();
    const { owner, as, sql, keyFor } = here;
    const body = { name: "Bot", agent_name: "Bot", scopes: ["write"] };
    const { agent_id } = (await owner.post("W/api-keys", body).expect(201)).data;
    await sql(`update agent set field_policy = '{status}' where user_id = $1`, [agent_id]);
    const agent = await keyFor(Object.assign(await as({ role: "member" }), { userId: agent_id }), {
      scopes: ["write"],
    });
    await agent.patch("P/issues/WEB-2", { sprint_id: null }).expect(403, "field_not_allowed");
    await agent.post("P/issues/WEB-2/transition", { status: "todo" }).expect(200);
    expect((await owner.get("P/issues/WEB-2")).data.sprint_id).toBe(null);
  });

  test("comes out of the archive without a sprint that was completed meanwhile", async () => {
    const here = await planned();
    const { owner, next } = here;
    await owner.patch("P/issues/WEB-1", { sprint_id: next.id }).expect(200);
    for (const key of ["WEB-1", "WEB-2"]) await owner.delete(`P/issues/${key}`).expect(200);
    await owner.patch(`P/sprints/${next.id}`, { status: "completed" }).expect(200);
    const { data, body } = await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(data.sprint_id).toBe(null);
    expect(body.warnings).toMatchObject([{ code: "sprint_completed", sprint_id: next.id }]);
    const { data: lines } = await owner.get("P/issues/WEB-1/activity?limit=2").expect(200);
    expect(lines.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["restored", "sprint_changed"]);
    // A closed issue keeps its sprint: it is what was done there.
    expect((await owner.post("P/issues/WEB-2/restore").expect(200)).data.sprint_id).toBe(here.over.id);
  });
});
