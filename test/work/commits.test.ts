import { expect, test } from "vitest";
import { processMessage } from "../../src/domain/work/commits/commits.ts";
import { commitsIn } from "../../src/domain/work/commits/payload.ts";
import { systemNow } from "../support/acting.ts";
import { browser } from "../support/browser.ts";
import { github, gitlab, type Hook, hookOf, push, send, sha, signature } from "../support/commits.ts";
import { type World, world } from "../support/world.ts";

const file = async ({ owner }: World) => (await owner.post("P/issues", { title: "x" }).expect(201)).data;
const commitsOf = async ({ owner }: World, key: string) =>
  (await owner.get(`P/issues/${key}/commits`).expect(200)).data;
const updates = ({ sql, project }: World) =>
  sql(
    `select issue_id, actor_kind, actor_name, changed from event where project_id = $1 and type = 'issue.updated'
     order by id`,
    [project.id],
  );

test("a push is shown on the issues that its commits name, once however often it is sent", async () => {
  const here = await world();
  const [one, two] = [await file(here), await file(here)];
  const hook = await hookOf(here);
  const payload = push(
    "Fix #WEB-1 and WEB-2\n\nLong story",
    "Nothing",
    "Merge feature/WEB-1-x, WEB-99, WEB-2x, UTF-8, sha-256",
  );
  const replies = await Promise.all([1, 2, 3].map(() => github(hook, payload)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(replies.reduce((sum, { body }) => sum + body.data.linked, 0)).toBe(3);

  const first = {
    id: expect.any(String),
    repo: "acme/web",
    sha: sha(1),
    message: "Fix #WEB-1 and WEB-2\n\nLong story",
    url: `https://git.test/acme/web/commit/${sha(1)}`,
    author: "Ann Author",
    committed_at: "2026-03-01T08:00:00.000Z",
    branch: "feature/login",
    pull_request_url: null,
    provider: "github",
    created_at: expect.stringMatching(/Z$/),
  };
  expect(await commitsOf(here, one.key)).toMatchObject([{ sha: sha(3) }, first]);
  expect(await commitsOf(here, two.key)).toEqual([first]);
  const page = (await here.owner.get("P/issues/WEB-1/commits?limit=1").expect(200)).body;
  const rest = await here.owner.get(`P/issues/WEB-1/commits?limit=1&cursor=${page.pagination.next_cursor}`).expect(200);
  expect(rest.data).toMatchObject([{ sha: sha(1) }]);

  const by = { actor_kind: "integration", actor_name: "github", changed: ["commits"] };
  const told = await updates(here);
  expect(told).toHaveLength(2);
  expect(told).toEqual(
    expect.arrayContaining([
      { issue_id: one.id, ...by },
      { issue_id: two.id, ...by },
    ]),
  );
  const { data } = await here.owner.get("P/issues/WEB-2/activity").expect(200);
  expect(data[0]).toMatchObject({
    kind: "commit_linked",
    actor_kind: "integration",
    payload: { sha: sha(1), message: "Fix #WEB-1 and WEB-2", repo: "acme/web" },
  });
});

test("keys in lower case link, and words that look like them do not", async () => {
  const here = await world();
  await file(here);
  const hook = await hookOf(here);
  const replies = await github(hook, push("Fixes web-1: read utf-8 and sha-256", "utf-8"));
  expect(replies.body.data.linked).toBe(1);
  expect(await commitsOf(here, "WEB-1")).toMatchObject([{ sha: sha(1) }]);
});

test("pull requests, GitLab's pushes and hand-written ones are read, too", async () => {
  const here = await world();
  await file(here);
  const hook = await hookOf(here);
  const request = {
    repository: { full_name: "acme/web" },
    pull_request: {
      title: "Login",
      body: "Closes #WEB-1",
      html_url: "https://git.test/pull/7",
      user: { login: "ann" },
      head: { sha: sha(1), ref: "login" },
    },
  };
  expect((await github(hook, push("WEB-1"))).body.data.linked).toBe(1);
  // The commit is known; now its pull request is, too.
  expect((await github(hook, request, "pull_request")).body.data.linked).toBe(0);
  expect(await commitsOf(here, "WEB-1")).toMatchObject([
    { message: "WEB-1", pull_request_url: "https://git.test/pull/7" },
  ]);
  expect(await updates(here)).toHaveLength(1);

  const merge = {
    project: { path_with_namespace: "acme/api" },
    object_attributes: {
      title: "WEB-1 in GitLab",
      url: "https://lab.test/merge/1",
      source_branch: "x",
      last_commit: { id: sha(20), message: "Work", url: "https://lab.test/c", author: { name: "Bo" } },
    },
  };
  expect((await gitlab(hook, merge, "Merge Request Hook")).body.data.linked).toBe(1);
  const byHand = { repository: "tool", branch: "main", commits: [{ sha: "ABCDEF1", message: "WEB-1", author: "Cy" }] };
  expect((await send(hook, byHand, { "x-hook-token": hook.secret })).body.data.linked).toBe(1);
  expect(await commitsOf(here, "WEB-1")).toMatchObject([
    { provider: "generic", repo: "tool", sha: "abcdef1", author: "Cy", branch: "main", url: "", committed_at: null },
    {
      provider: "gitlab",
      repo: "acme/api",
      message: "Work",
      author: "Bo",
      pull_request_url: "https://lab.test/merge/1",
    },
    { provider: "github" },
  ]);

  const form = new URLSearchParams({ payload: JSON.stringify(push("x", "y", "WEB-1 as a form")) }).toString();
  const headers = { "x-github-event": "push", "content-type": "application/x-www-form-urlencoded" };
  expect((await send(hook, form, { ...headers, ...signature(hook, form) })).body.data.linked).toBe(1);
  expect((await github(hook, { zen: "WEB-1" }, "ping")).body.data.linked).toBe(0);
  expect((await gitlab(hook, push("WEB-1"), "Tag Push Hook")).body.data.linked).toBe(0);
});

test("a sender without the secret changes nothing", async () => {
  const here = await world();
  await file(here);
  const hook = await hookOf(here);
  const payload = push("WEB-1");
  const other = await hookOf(await here.other());
  const attempts: [Hook, Record<string, string>, number][] = [
    [hook, {}, 401],
    [hook, signature({ ...hook, secret: "guess" }, payload), 401],
    [hook, signature(hook, `${JSON.stringify(payload)} `), 401],
    [hook, { "x-hub-signature-256": "", "x-gitlab-token": "" }, 401],
    [hook, { "x-hub-signature-256": "sha256=" }, 401],
    [hook, { "x-gitlab-token": other.secret }, 401],
    // A token does not make up for a wrong signature.
    [hook, { "x-hub-signature-256": "sha256=00", "x-gitlab-token": hook.secret }, 401],
    [{ ...hook, url: `${hook.url}x` }, signature(hook, payload), 404],
  ];
  for (const [at, headers, status] of attempts) expect((await send(at, payload, headers)).status).toBe(status);
  // Another tenant's own hook names its own issues only.
  expect((await gitlab(other, payload)).body.data.linked).toBe(0);
  expect(await commitsOf(here, "WEB-1")).toEqual([]);
});

test("admins create, replace and delete a hook", async () => {
  const here = await world();
  const hook = await hookOf(here);
  const page = `/w/${here.workspace.slug}/developer`;
  const owner = await browser(here.app, here.owner.userId);
  expect((await owner.get(page)).text).toContain("Replace the hook");
  const next = await hookOf(here);
  expect((await gitlab(hook, push())).status).toBe(404);
  expect((await gitlab(next, push())).status).toBe(200);
  const [row] = await here.sql(`select * from commit_hook where workspace_id = $1`, [here.workspace.id]);
  expect(JSON.stringify(row)).not.toContain(next.secret);

  const member = await browser(here.app, (await here.as({ role: "member" })).userId);
  expect((await member.get(page)).text).not.toContain("commit-hook");
  expect((await member.post(`${page}/commit-hook`)).status).toBe(403);
  expect((await member.post(`${page}/commit-hook/remove`)).status).toBe(403);
  expect((await gitlab(next, push())).status).toBe(200);
  expect((await owner.post(`${page}/commit-hook/remove`)).status).toBe(303);
  expect((await gitlab(next, push())).status).toBe(404);
});

test("the page says that an earlier hook stopped working only if there was one", async () => {
  const here = await world();
  const owner = await browser(here.app, here.owner.userId);
  const page = `/w/${here.workspace.slug}/developer/commit-hook`;
  const [first, second] = [(await owner.post(page)).text, (await owner.post(page)).text];
  expect(first).toContain("The hook is created.");
  expect(second).toContain("The hook is replaced: the old address and secret no longer work.");
});

test("hostile payloads do no harm", async () => {
  const here = await world();
  const { key } = await file(here);
  const hook = await hookOf(here);
  const commit = { id: sha(1), message: "WEB-1" };
  const strange: unknown[] = [
    {},
    { commits: null },
    { commits: { length: 9 } },
    { commits: [null, 1, "WEB-1", [], { id: 1 }, { id: "x", message: "WEB-1" }, { id: sha(1), message: 7 }] },
    { commits: [{ ...commit, id: `${sha(1)}'; drop table issue` }] },
    { commits: [{ ...commit, message: `${"A".repeat(100_000)}-${"1".repeat(100_000)}` }] },
    { commits: [{ ...commit, message: "WEB-999999999 WEB-0 WEB-2147483648 __proto__-1" }] },
    { repository: { full_name: { a: 1 } }, commits: [{ ...commit, message: "" }] },
    { pull_request: { head: null } },
  ];
  for (const payload of strange) {
    expect(await github(hook, payload), JSON.stringify(payload).slice(0, 100)).toEqual({
      status: 200,
      body: { data: { linked: 0, released: 0 } },
    });
    expect((await github(hook, payload, "pull_request")).status).toBe(200);
    expect((await gitlab(hook, payload, "Merge Request Hook")).status).toBe(200);
  }
  for (const body of ["", "null", "[]", '"WEB-1"', "7"]) expect((await github(hook, body)).status).toBeLessThan(500);
  expect((await github(hook, "{")).body.code).toBe("invalid_json");
  expect((await github(hook, `${"[".repeat(50_000)}${"]".repeat(50_000)}`)).body.code).toBe("invalid_json");
  const large = JSON.stringify({ x: "x".repeat(5 * 1024 * 1024) });
  expect((await github(hook, large)).body.code).toBe("body_too_large");

  const dirty = {
    repository: { full_name: "a\u0000\ud800b" },
    ref: "r".repeat(1_000),
    commits: [
      {
        ...commit,
        url: "javascript:alert(1)",
        author: { name: "\u0000\udfff" },
        timestamp: "soon",
        message: `WEB-1 \u0000${"x".repeat(100_000)}`,
      },
    ],
  };
  expect((await github(hook, dirty)).body.data.linked).toBe(1);
  const [stored] = await commitsOf(here, key);
  expect(stored).toMatchObject({ repo: "a\ufffdb", url: "", committed_at: null });
  expect(stored.message.length).toBeLessThanOrEqual(2_000);
  expect(stored.branch.length).toBeLessThanOrEqual(300);

  const flood = {
    commits: Array.from({ length: 5_000 }, (_, n) => ({ id: sha(n + 10), message: "WEB-1 WEB-2 WEB-3" })),
  };
  expect((await github(hook, flood)).body.data.linked).toBeLessThanOrEqual(2_000);
  await here.owner.delete(`P/issues/${key}`).expect(200);
  expect((await github(hook, { commits: [{ id: sha(9_999), message: "WEB-1" }] })).body.data.linked).toBe(0);
  expect(
    await fetch(`${here.app.baseUrl}/hooks/commits/%ff%00`, { method: "POST" }).then(({ status }) => status),
  ).toBeLessThan(500);
});

test("references beyond a message's limit are left out and logged for the operator", async () => {
  const here = await world();
  await file(here);
  const lines: unknown[] = [];
  const base = systemNow(here.app);
  const log = { ...base.log, warn: (...line: unknown[]) => void lines.push(line) };
  const { database, entities } = here.app.resources;
  const linked = (count: number) => {
    const commits = commitsIn("github", "push", push(...Array<string>(count).fill("WEB-1 WEB-2")));
    const workspace = { ...here.workspace, name: "", plan: "business" } as const;
    return processMessage({ ...base, log, database, entities }, workspace, "github", { commits, tag: null });
  };
  expect((await linked(1_000)).linked).toBe(1_000);
  expect(lines).toEqual([]);
  expect((await linked(1_002)).linked).toBe(0);
  expect(lines).toEqual([
    [{ workspace_id: here.workspace.id, named: 2_004, left: 4 }, expect.stringContaining("4 of")],
  ]);
});
