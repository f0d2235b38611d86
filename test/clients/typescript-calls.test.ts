import { describe, expect, test } from "vitest";
import {
  type Issue,
  type Muster,
  MusterConnectionError,
  MusterProblem,
  type Page,
} from "../../clients/typescript/src/index.ts";
import { List } from "../../clients/typescript/src/list.ts";
import { musterOf } from "../support/muster.ts";
import { world } from "../support/world.ts";

describe("calls", () => {
  test("create, read, change and archive, in the workspace of the key", async () => {
    const muster = await musterOf((await world()).owner);
    const created = await muster.issues.create("WEB", { title: "Fix the sign-in", priority: "high" });
    expect(created).toMatchObject({ key: "WEB-1", title: "Fix the sign-in" });
    const { data, etag } = await muster.issues.get("WEB", created.key).withReply();
    expect(data).toEqual(created);
    await muster.issues.patch("WEB", created.key, { title: "Fix it" }, { ifMatch: etag! });
    const refused = muster.issues.patch("WEB", created.key, { title: "Too late" }, { ifMatch: etag! });
    await expect(refused).rejects.toMatchObject({ status: 412, code: "precondition_failed" });
    expect((await muster.issues.delete("WEB", created.key)).archived_at).not.toBeNull();
  });

  test("a refusal is a problem that names the fields", async () => {
    const muster = await musterOf((await world()).owner);
    const refused = muster.issues.create("WEB", { title: "", priority: "soon" as "high" });
    const problem = await refused.then(
      () => null,
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(MusterProblem);
    const { code, status, requestId, errors } = problem as MusterProblem;
    expect({ code, status }).toEqual({ code: "validation_failed", status: 400 });
    expect(requestId).toMatch(/^\S+$/);
    expect(errors.map(({ path }) => path).sort()).toEqual(["/priority", "/title"]);
  });

  test("each row of a bulk call has its own result", async () => {
    const muster = await musterOf((await world()).owner);
    const rows = await muster.issues.bulkCreate("WEB", { items: [{ title: "One" }, { title: "" }] });
    expect(rows.map((row) => (row.ok ? row.data.title : row.error.details?.code))).toEqual([
      "One",
      "validation_failed",
    ]);
  });

  test("names from outside cannot lead to another operation", async () => {
    const muster = await musterOf((await world()).owner, { workspace: "acme" });
    await expect(muster.projects.delete("..")).rejects.toThrow(TypeError);
    await expect(muster.projects.delete("")).rejects.toThrow(TypeError);
    await expect(muster.issues.get("WEB", "../../members")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a doc comes in other formats", async () => {
    const muster = await musterOf((await world()).owner);
    const { id } = await muster.docs.create({ title: "Runbook", body_md: "Tag the commit" });
    const pdf = await muster.docs.getExportAs(id, "application/pdf");
    expect(await pdf.slice(0, 5).text()).toBe("%PDF-");
    expect(await (await muster.docs.getExportAs(id, "text/markdown")).text()).toContain("Tag the commit");
  });

  test("the audit log comes as a file with the entries that a filter finds", async () => {
    const muster = await musterOf((await world()).owner);
    await muster.workspaces.patch({ name: "Renamed" });
    await muster.apiKeys.create({ name: "Bot" });
    const file = await muster.auditLog.listAs("application/x-ndjson", { type: "api_key.*" });
    const entries = (await file.text()).trimEnd().split("\n");
    expect(entries.map((line) => JSON.parse(line).type)).toEqual(["api_key.created"]);
    expect(await (await muster.auditLog.listAs("text/csv")).text()).toMatch(/^id,at,type,/);
  });
});

describe("lists", () => {
  async function issues(muster: Muster, count: number): Promise<void> {
    await muster.issues.bulkCreate("WEB", {
      items: Array.from({ length: count }, (_, index) => ({ title: `Issue ${index}` })),
    });
  }

  test("a walk has every row once, also while rows are added", async () => {
    const muster = await musterOf((await world()).owner);
    await issues(muster, 25);
    const seen: Issue[] = [];
    for await (const issue of muster.issues.list("WEB", { limit: 4 })) {
      seen.push(issue);
      if (seen.length % 5 === 0 && seen.length <= 20) await muster.issues.create("WEB", { title: "Added" });
    }
    const titles = seen.map(({ title }) => title);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(titles.filter((title) => title !== "Added")).toHaveLength(25);
  });

  test("a page is fetched when its first row is needed", async () => {
    const { owner } = await world();
    const muster = await musterOf(owner);
    await issues(muster, 10);
    let fetched = 0;
    const counting = await musterOf(owner, {
      workspace: (await muster.me.get()).workspaceSlug,
      fetch: (input, init) => {
        fetched++;
        return fetch(input, init);
      },
    });
    const list = counting.issues.list("WEB", { limit: 4 });
    expect(fetched).toBe(0);
    let rows = 0;
    for await (const _ of list) if (++rows === 5) break;
    expect(fetched).toBe(2);
  });

  test("a walk ends with an error if a cursor leads to itself", async () => {
    const list = new List(async () => ({ data: [1], nextCursor: "same" }) as Page<number>);
    const rows: number[] = [];
    await expect(async () => {
      for await (const row of list) rows.push(row);
    }).rejects.toThrow(MusterConnectionError);
    expect(rows).toEqual([1, 1]);
  });

  test("one page, and the walk that goes on after it", async () => {
    const muster = await musterOf((await world()).owner);
    await issues(muster, 6);
    const { data, nextCursor } = await muster.issues.list("WEB", { limit: 4 });
    const rest: Issue[] = [];
    for await (const issue of muster.issues.list("WEB", { limit: 4, cursor: nextCursor! })) rest.push(issue);
    expect([data.length, rest.length]).toEqual([4, 2]);
    expect((await muster.issues.list("WEB")).nextCursor).toBeNull();
  });
});
