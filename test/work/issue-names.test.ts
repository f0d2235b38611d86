import { expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/** Processes remember the names that issues show. A new name appears in all of them with the next call. */

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

const using = ({ app, workspace, project }: World, key: string, baseUrl = app.baseUrl) =>
  new Client(
    baseUrl,
    { W: `/v1/workspaces/${workspace.slug}`, P: `/v1/workspaces/${workspace.slug}/projects/${project.key}` },
    { key, userId: "", email: "" },
  );

async function everywhere(here: World, test: (read: () => Promise<Shown[]>) => Promise<void>): Promise<void> {
  const other = await startWeb((await app()).config);
  const clients = [here.owner, using(here, here.owner.key!, `http://127.0.0.1:${other.port}`)];
  const read = async () => {
    const shown: Shown[] = [];
    for (const client of clients) {
      const one = (await client.get("P/issues/WEB-1").expect(200)).data;
      const byId = (await client.get(`P/issues/${one.id}`).expect(200)).data;
      const [listed] = (await client.get("P/issues").expect(200)).data;
      expect(byId).toEqual(one);
      expect(listed).toEqual(one);
      shown.push(one);
    }
    expect(shown[1]).toEqual(shown[0]);
    return shown;
  };
  try {
    // Twice: the second time from memory.
    await read();
    await read();
    await test(read);
  } finally {
    await other.stop();
  }
}

type Shown = {
  status_id: string | null;
  status_name: string | null;
  assignee_name: string | null;
  assignee_kind: string | null;
  labels: { name: string; color: string; updated_at: string }[];
};

test("of columns, people and labels", async () => {
  const here = await world();
  const { owner, sql, columns } = here;
  const person = await here.as({ role: "member", name: "Pat One" });
  const labels: { id: string }[] = [];
  for (const name of ["zeta", "alpha"]) labels.push((await owner.post("P/labels", { name }).expect(201)).data);
  const ids = labels.map(({ id }) => id);
  await owner.post("P/issues", { title: "One", assignee_ids: [person.userId], labels: ids }).expect(201);
  await everywhere(here, async (read) => {
    expect(await read()).toMatchObject(
      Array(2).fill({ status_name: "To Do", assignee_name: "Pat One", assignee_kind: "user", labels }),
    );

    const renamed = (await owner.patch(`P/labels/${ids[0]}`, { name: "Zeta", color: "#00ff00" }).expect(200)).data;
    expect(await read()).toMatchObject(Array(2).fill({ labels: [renamed, labels[1]] }));

    await owner.patch(`P/statuses/${columns["To Do"]}`, { name: "Next" }).expect(200);
    expect(await read()).toMatchObject(Array(2).fill({ status_name: "Next" }));

    await sql(`update app_user set name = 'Pat Two' where id = $1`, [person.userId]);
    expect(await read()).toMatchObject(Array(2).fill({ assignee_name: "Pat Two" }));

    await owner.delete(`P/labels/${ids[1]}`).expect(200);
    expect(await read()).toMatchObject(Array(2).fill({ labels: [renamed] }));
    await drain();
    expect(await read()).toMatchObject(Array(2).fill({ labels: [renamed] }));
  });
});

test("of somebody who left, too", async () => {
  const here = await world();
  const { owner, sql } = here;
  const person = await here.as({ role: "member", name: "Pat One" });
  await owner.post("P/issues", { title: "One", assignee_ids: [person.userId] }).expect(201);
  await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(200);
  await everywhere(here, async (read) => {
    await owner.delete(`W/members/${person.userId}`).expect(200);
    await drain();
    expect(await read()).toMatchObject(Array(2).fill({ assignee_name: "Pat One" }));
    await sql(`update app_user set name = 'Pat Two' where id = $1`, [person.userId]);
    expect(await read()).toMatchObject(Array(2).fill({ assignee_name: "Pat Two" }));
  });
});

test("of a deleted column, whose archived issues stay", async () => {
  const here = await world();
  const { owner } = here;
  const { data: column } = await owner.post("P/statuses", { name: "Later", category: "todo" }).expect(201);
  await owner.post("P/issues", { title: "One", status_id: column.id }).expect(201);
  expect((await owner.get("P/issues/WEB-1").expect(200)).data.status_name).toBe("Later");
  expect((await owner.get("P/issues/WEB-1").expect(200)).data.status_name).toBe("Later");
  await owner.delete(`P/statuses/${column.id}`).expect(200);
  for (let n = 0; n < 3; n++) {
    expect((await owner.get("P/issues/WEB-1").expect(200)).data).toMatchObject({ status_id: null, status_name: null });
    const [listed] = (await owner.get("P/issues?archived=true").expect(200)).data;
    expect(listed).toMatchObject({ status_id: null, status_name: null });
  }
});

test("calls that arrive together get their own issue, or their own refusal", async () => {
  const here = await world();
  const { owner } = here;
  const items = Array.from({ length: 40 }, (_, n) => ({ title: `Issue ${n + 1}` }));
  await owner.post("P/issues/bulk", { items }).expect(201);
  const other = await here.other();
  const viewer = await here.as({ role: "member", scopes: ["projects:read"] });
  const calls = Array.from({ length: 120 }, async (_, n) => {
    const number = (n % 40) + 1;
    if (n % 10 === 9) return (await owner.get(`P/issues/WEB-${number + 1000}`)).status === 404;
    if (n % 10 === 8) return (await using(here, `wk_${"x".repeat(43)}`).get(`P/issues/WEB-${number}`)).status === 401;
    if (n % 10 === 7) return (await viewer.get(`P/issues/WEB-${number}`)).status === 403;
    if (n % 10 === 6) return (await using(here, other.owner.key!).get(`P/issues/WEB-${number}`)).status === 404;
    const { status, data } = await owner.get(`P/issues/WEB-${number}`);
    return status === 200 && data.title === `Issue ${number}`;
  });
  expect(await Promise.all(calls)).toEqual(Array(120).fill(true));
});

test(`a call that reads everything shows what those from memory show (FUZZ_SEED=${SEED})`, async () => {
  const here = await world();
  const { owner } = here;
  const { pick, below } = seeded(SEED);
  const people = [await here.as({ role: "member", name: "Pat" }), await here.as({ role: "member", isAgent: true })];
  const make = async (path: string, body: object) => (await owner.post(path, body).expect(201)).data.id as string;
  const labels = await Promise.all(["a", "b", "c"].map((name) => make("P/labels", { name })));
  const column = await make("P/statuses", { name: "Later", category: "todo" });
  const field = await make("P/custom-field-defs", { name: "Size", kind: "number" });
  const some = <T>(of: T[]) => of.filter(() => below(2) === 0);
  for (let n = 1; n <= 20; n++) {
    await make("P/issues", {
      title: `Issue ${n}`,
      status_id: pick([column, ...Object.values(here.columns)]),
      labels: some(labels),
      assignee_ids: some(people.map(({ userId }) => userId)),
      due_at: pick([null, "2026-11-23T10:00:00.12Z"]),
      custom_fields: pick([{}, { [field]: 1.5 }]),
      ...(n > 5 ? pick([{}, { type: "subtask", parent: "WEB-1" }]) : {}),
    });
  }
  await owner.delete(`P/labels/${labels[1]}`).expect(200);
  await owner.delete(`P/statuses/${column}`).expect(200);
  await owner.delete(`W/members/${people[0]!.userId}`).expect(200);
  for (let n = 1; n <= 20; n++) {
    const fresh = await here.keyFor(owner);
    const path = `P/issues/WEB-${n}`;
    const [full, brief] = [await fresh.get(path).expect(200), await fresh.get(path).expect(200)];
    expect(brief.text).toBe(full.text);
    const other = await here.keyFor(owner);
    expect((await other.get(`P/issues/${full.data.id}`).expect(200)).text).toBe(full.text);
  }
});
