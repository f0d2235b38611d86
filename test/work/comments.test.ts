import { describe, expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { watchTurns } from "../support/loop-turns.ts";
import { world } from "../support/world.ts";

test("comments are written, rendered safely, edited and deleted, and the issue counts them", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const { data: comment } = await owner
    .post(path, { body: "**Hi** <img src=x onerror=alert(1)> [x](javascript:alert(1))" })
    .expect(201);
  expect(comment.body_html).toContain("<strong>Hi</strong>");
  expect(comment.body_html).not.toMatch(/<img|href="javascript/);
  const edited = await owner.patch(`${path}/${comment.id}`, { body_md: "Bye" }).expect(200);
  expect(edited.data).toMatchObject({ body_md: "Bye", body_html: "<p>Bye</p>\n" });
  expect(edited.data.edited_at).not.toBeNull();
  expect((await owner.get("P/issues/WEB-1")).data.counts.comments).toBe(1);
  expect((await owner.delete(`${path}/${comment.id}`).expect(200)).data).toEqual({ id: comment.id, deleted: true });
  await owner.delete(`${path}/${comment.id}`).expect(404);
  expect((await owner.get("P/issues/WEB-1")).data.counts.comments).toBe(0);
});

test("replies have one level, and a deleted comment with replies stays as an empty one", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const { data: first } = await owner.post(path, { body_md: "first" }).expect(201);
  const { data: reply } = await owner.post(path, { body_md: "reply", parent_id: first.id }).expect(201);
  await owner.post(path, { body_md: "nested", parent_id: reply.id }).expect(400, "invalid_reference");
  await owner.delete(`${path}/${first.id}`).expect(200);
  const { data } = await owner.get(path).expect(200);
  expect(data).toMatchObject([{ id: first.id, body_md: "", reply_count: 1 }, { id: reply.id }]);
  expect(data[0].deleted_at).not.toBeNull();
});

test("only the author or an admin changes a comment", async () => {
  const { owner, as } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const [anna, ben] = [await as({ role: "member" }), await as({ role: "member" })];
  const { data: comment } = await anna.post("P/issues/WEB-1/comments", { body_md: "mine" }).expect(201);
  const path = `P/issues/WEB-1/comments/${comment.id}`;
  await ben.patch(path, { body_md: "no" }).expect(403, "not_owner_of_resource");
  await ben.delete(path).expect(403, "not_owner_of_resource");
  await owner.patch(path, { body_md: "moderated" }).expect(200);
  await anna.patch(path, { body_md: "mine again" }).expect(200);
});

test("an author's external id is one comment, alone or in bulk", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const { data: first } = await owner.post(path, { body_md: "a", external_id: "e1" }).expect(201);
  expect((await owner.post(path, { body_md: "b", external_id: "e1" }).expect(201)).data).toEqual(first);
  const bulk = await owner
    .post(`${path}/bulk`, {
      items: [{ body_md: "c", external_id: "e2" }, { body_md: "d", external_id: "e2" }, { body_md: "" }],
    })
    .expect(207);
  expect(bulk.data[0].data.id).toBe(bulk.data[1].data.id);
  expect(bulk.data[2]).toMatchObject({ ok: false, status: 400 });
  expect((await owner.get("P/issues/WEB-1")).data.counts.comments).toBe(2);
});

test("PATCH takes the fields of the create input, and changes the text only", async () => {
  const { owner } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Talk" }).expect(201);
  const path = `P/issues/${issue.key}/comments`;
  const body = { body_md: "first", external_id: "x-1", parent_id: null, session_id: null };
  const { data: comment } = await owner.post(path, body).expect(201);
  const same = await owner.patch(`${path}/${comment.id}`, { ...body, body_md: "second" }).expect(200);
  expect(same.data).toMatchObject({ body_md: "second", external_id: "x-1" });
  expect(same.body.warnings).toBeUndefined();

  const { body: reply } = await owner
    .patch(`${path}/${comment.id}`, { body_md: "third", external_id: "x-2", parent_id: comment.id })
    .expect(200);
  expect(reply.data).toMatchObject({ body_md: "third", external_id: "x-1", parent_id: null });
  expect(reply.warnings).toMatchObject([
    { code: "field_ignored", path: "/parent_id" },
    { code: "field_ignored", path: "/external_id" },
  ]);
});

test.each([
  ["an escaped mention", (id: string) => `\\@[Ben](${id})`, "<p>@Ben</p>"],
  ["a mention with an entity", (id: string) => `&#64;[Ben](${id})`, "<p>@Ben</p>"],
  ["a link to an id", (id: string) => `[**Ben**](<${id.toUpperCase()}> "x")`, "<p><strong>Ben</strong></p>"],
  ["a mention in an element", (id: string) => `<kbd>@[Ben](${id})</kbd>`, "<p><kbd>@Ben</kbd></p>"],
  ["a mention in a tag of code", (id: string) => `<code>@[Ben](${id})</code>`, "<p>&lt;code&gt;@Ben&lt;/code&gt;</p>"],
])("%s is plain text and mentions nobody", async (_, text, html) => {
  const here = await world();
  const ben = await here.as({ role: "member", name: "Ben" });
  await here.owner.post("P/issues", { title: "x" }).expect(201);
  const body = { body_md: text(ben.userId) };
  const { data } = await here.owner.post("P/issues/WEB-1/comments", body).expect(201);
  expect([data.body_html.trim(), data.mentions]).toEqual([html, []]);
});

test("mentions name people of the workspace only, and those mentioned watch the issue", async () => {
  const here = await world();
  const anna = await here.as({ role: "member" });
  const stranger = (await here.other()).owner;
  await here.owner.post("P/issues", { title: "x" }).expect(201);
  const body = `@[Anna](${anna.userId}) and @[Eve](${stranger.userId})`;
  const { data } = await here.owner.post("P/issues/WEB-1/comments", { body_md: body }).expect(201);
  expect(data.mentions).toEqual([{ id: anna.userId, kind: "user" }]);
  expect((await here.owner.get("P/issues/WEB-1")).data.counts.watchers).toBe(2);
});

test("guests comment only in projects that they are members of", async () => {
  const { owner, as } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const inside = await as({ role: "guest", projectRole: "member" });
  await inside.post("P/issues/WEB-1/comments", { body_md: "hello" }).expect(201);
  await inside.patch("P/issues/WEB-1", { title: "no" }).expect(403, "insufficient_role");
  const outside = await as({ role: "guest" });
  await outside.get("P/issues/WEB-1").expect(404, "not_found");
  const viewer = await as({ role: "viewer" });
  await viewer.get("P/issues/WEB-1/comments").expect(200);
  await viewer.post("P/issues/WEB-1/comments", { body_md: "no" }).expect(403, "insufficient_role");
});

test("an edit is recorded with the previous text; an empty or identical body changes nothing", async () => {
  const { owner, as, sql, workspace } = await world();
  const anna = await as({ role: "member" });
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const { data: comment } = await owner.post(path, { body_md: "old" }).expect(201);
  const item = `${path}/${comment.id}`;
  expect((await owner.patch(item, {}).expect(200)).data).toEqual(comment);
  expect((await owner.patch(item, { body_md: "old" }).expect(200)).data).toEqual(comment);
  expect((await owner.patch(item, { body_md: "old", external_id: "e" }).expect(200)).data).toEqual(comment);
  await owner.patch(item, { body_md: null }).expect(400, "validation_failed");
  const { data } = await owner.patch(item, { body_md: `@[Anna](${anna.userId})` }).expect(200);
  const events = await sql(
    `select data, previous, changed from event where workspace_id = $1 and type = 'comment.updated'`,
    [workspace.id],
  );
  expect(events).toEqual([
    {
      data,
      previous: { body_md: "old", mentions: [], edited_at: null },
      changed: ["body_md", "mentions", "edited_at"],
    },
  ]);
});

describe("texts", () => {
  const render = async (owner: Client, body_md: string): Promise<string> =>
    (await owner.post("P/issues/WEB-1/comments", { body_md }).expect(201)).data.body_html;

  test("people and issues are linked in all markdown", async () => {
    const { owner, as, other, workspace } = await world();
    const anna = await as({ role: "member", name: "A & <b>" });
    const stranger = (await other()).owner.userId;
    await owner.post("P/issues", { title: "x" }).expect(201);
    const span = `<span class="mention" data-user-id="${anna.userId}">@A &amp; &lt;b&gt;</span>`;
    expect(await render(owner, `Hi @[Olive](${anna.userId.toUpperCase()})!`)).toBe(`<p>Hi ${span}!</p>\n`);
    expect(await render(owner, `**@[Eve](${stranger})**`)).toBe("<p><strong>@Eve</strong></p>\n");
    expect(await render(owner, "`@[A](b) #WEB-2`")).toBe("<p><code>@[A](b) #WEB-2</code></p>\n");

    const link = (place: string, key: string) =>
      `<a href="https://muster.test/w/${workspace.slug}/p/${place}/${key}" rel="nofollow noopener">#${key}</a>`;
    expect(await render(owner, "See #WEB-2, (#OPS-31).")).toBe(
      `<p>See ${link("web", "WEB-2")}, (${link("ops", "OPS-31")}).</p>\n`,
    );
    for (const text of ["a#WEB-2", "#WEB-2x", "#WEB-", "#web-2", "##WEB-2"]) {
      expect(await render(owner, text)).toBe(`<p>${text}</p>\n`);
    }
    expect(await render(owner, "[at #WEB-2](https://a.test)")).toBe(
      '<p><a href="https://a.test" rel="nofollow noopener">at #WEB-2</a></p>\n',
    );
  });

  test("texts of any accepted length are shown with formatting", async () => {
    const { owner } = await world();
    await owner.post("P/issues", { title: "x" }).expect(201);
    const line = '2026-11-27T02:39:29.123Z INFO [worker:3] job `x` {"a":[1,2]} <b> http://a.test/c & more\n';
    const log = line.repeat(700);
    const code = await render(owner, `**Log:**\n\n\`\`\`\n${log}\`\`\`\n\n**end**`);
    const shown = log.replace(/&/g, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(code).toBe(`<p><strong>Log:</strong></p>\n<pre><code>${shown}</code></pre>\n<p><strong>end</strong></p>\n`);
    const table = await render(owner, `| a | b |\n|---|--:|\n${"| **one** | a, b<br>c |\n".repeat(2_500)}`);
    const row = '<tr>\n<td><strong>one</strong></td>\n<td style="text-align:right">a, b<br />\nc</td>\n</tr>\n';
    expect(table.split(row)).toHaveLength(2_501);
    expect(table.endsWith("</tbody>\n</table>\n")).toBe(true);
    const report = `Some **bold** words, a [link](https://a.test/1) and #WEB-1 in \`code\`.\n\n- one\n`.repeat(800);
    expect((await render(owner, report)).split("<strong>bold</strong>")).toHaveLength(801);
    // An unfenced log is one paragraph.
    expect((await render(owner, line.repeat(700))).split("<code>x</code>")).toHaveLength(701);
  });

  test("comments are hidden, harmless elements are shown, and other HTML stays text", async () => {
    const { owner } = await world();
    await owner.post("P/issues", { title: "x" }).expect(201);
    const rendered: [string, string][] = [
      ["<!-- describe here -->\nHello<!-- you --> there", "<p>Hello there</p>\n"],
      ["<!-- one\n\ntwo\n-->\n\n# Head", "<h1>Head</h1>\n"],
      ["<!-- a --> <!-- b --> **c**", "<p><strong>c</strong></p>\n"],
      ["<!-- a <!-- b --> c -->", "<p>c --&gt;</p>\n"],
      ["a <!-- no end\n\nb", "<p>a &lt;!-- no end</p>\n<p>b</p>\n"],
      ["> <!-- no end\n\nb -->", "<blockquote>\n<p>&lt;!-- no end</p>\n</blockquote>\n<p>b --&gt;</p>\n"],
      ["`<!-- code -->`", "<p><code>&lt;!-- code --&gt;</code></p>\n"],
      ["H<sub>2</sub>O <KBD class=x>Ctrl</KBD>", "<p>H<sub>2</sub>O <kbd>Ctrl</kbd></p>\n"],
      ["Promise<string> <b onclick=x>b</b>", "<p>Promise&lt;string&gt; <b>b</b></p>\n"],
      ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"],
      ["**<kbd>a**b</kbd> <s>c", "<p><strong><kbd>a</kbd></strong>b <s>c</s></p>\n"],
      [
        '<details open onclick="alert(1)"><summary>**Log**</summary>one</details>',
        "<details open>\n<summary><strong>Log</strong></summary>\n<p>one</p>\n</details>\n",
      ],
      [
        "<details>\n<summary>Log</summary>\n\n- one\n</details>\n\nafter",
        "<details>\n<summary>Log</summary>\n<ul>\n<li>one</li>\n</ul>\n</details>\n<p>after</p>\n",
      ],
      ["> <details>\n> in\n\nout", "<blockquote>\n<details>\n<p>in</p>\n</details>\n</blockquote>\n<p>out</p>\n"],
      ["out\n\n</details></div>", "<p>out</p>\n<p>&lt;/div&gt;</p>\n"],
    ];
    for (const [markdown, html] of rendered) expect(await render(owner, markdown), markdown).toBe(html);
    const cells = await render(owner, "| a | b |\n|-|-|\n| <details> | x</details> |\n| <s>q<br>r | r</td> |");
    expect(cells).toContain(
      "<tr>\n<td><details></details></td>\n<td>x</td>\n</tr>\n<tr>\n<td><s>q<br />\nr</s></td>\n<td>r&lt;/td&gt;</td>\n</tr>",
    );
  });

  const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const table = (columns: number, length: number) =>
    `${"|a".repeat(columns)}\n${"|-".repeat(columns)}\n${fill("a\n", length)}`.slice(0, length);
  const MAX_HOLD_MS = 50;
  const hostile: [string, string][] = [
    ["images", fill("![", 60_000)],
    ["stars", fill("*a **", 60_000)],
    ["short lines of a table", `|a|b|\n|-|-|\n${fill("|a|\n", 60_000)}`],
    ["short paragraphs", fill("a\n\n", 60_000)],
    ["backticks", fill("` ", 20_000)],
    ["links", fill("https://a.b ", 60_000)],
    ["addresses", fill("a@b.c ", 60_000)],
    ["a wide table", table(200, 40_000)],
    ["references to a long address", `[a]: https://a.test/${fill("y", 15_000)}\n\n${fill("[a]", 2_900)}`],
    ["quotes in quotes", `${fill(">", 1_900)}a\n${fill("b\n", 58_000)}`],
    ["lists in lists", Array.from({ length: 340 }, (_, n) => `${" ".repeat(n)}- a`).join("\n")],
    ["comments without an end", fill("> <!--\n\n", 60_000)],
    ["comments that end elsewhere", `${fill("- <!--\n", 60_000)}\n-->`],
    ["folds", fill("<details><summary>a</summary>b\n", 60_000)],
    ["elements", fill("<b><i>", 60_000)],
    ["mentions", fill("@[", 60_000)],
    ["handles", fill("@a-b ", 60_000)],
    ["one long handle", `@${fill("a-", 60_000)}`],
    ["runs of backticks", Array.from({ length: 340 }, (_, n) => "`".repeat(n + 1)).join("@a ")],
    ["ampersands", fill("&", 60_000)],
  ];

  test.each(hostile)("%s delay no other call, and their HTML is bounded", { timeout: 120_000 }, async (_, body_md) => {
    const { owner } = await world();
    await owner.post("P/issues", { title: "x" }).expect(201);
    const items = Array.from({ length: 4 }, () => ({ body_md }));
    const holds: number[] = [];
    const turns = watchTurns();
    // The best of three, because garbage collection may interfere.
    while (holds.length < 3 && !(Math.min(...holds) < MAX_HOLD_MS)) {
      turns.longest();
      const { data } = await owner.post("P/issues/WEB-1/comments/bulk", { items }).expect(201);
      holds.push(turns.longest());
      for (const { data: comment } of data) {
        expect(comment.body_html.length).toBeLessThanOrEqual(10 * body_md.length + 8_192);
      }
    }
    turns.stop();
    expect(Math.min(...holds)).toBeLessThan(MAX_HOLD_MS);
  });
});

test("parallel replies, edits and deletes never fail, and the counts are right afterwards", async () => {
  const { owner, sql } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const made = async (body: object) => (await owner.post(path, { body_md: "x", ...body }).expect(201)).data.id;
  for (let round = 0; round < 4; round++) {
    const parents = await Promise.all(Array.from({ length: 6 }, () => made({})));
    const replies = await Promise.all(parents.map((parent_id) => made({ parent_id })));
    const calls = parents.flatMap((parent_id, n) => [
      owner.post(path, { body_md: "reply", parent_id }),
      owner.delete(`${path}/${replies[n]}`),
      owner.patch(`${path}/${parent_id}`, { body_md: "edited" }),
      owner.post(path, { body_md: "reply", parent_id }),
      owner.delete(`${path}/${parent_id}`),
      owner.post(`${path}/bulk`, { items: [{ body_md: "reply", parent_id }] }),
    ]);
    for (const reply of await Promise.all(calls)) expect([200, 201, 207, 400, 404], reply.text).toContain(reply.status);
  }
  const wrong = await sql(
    `select c.id from comment c where c.issue_id = (select issue_id from comment where id = $1)
       and c.reply_count <> (select count(*) from comment r where r.parent_id = c.id and r.deleted_at is null)`,
    [await made({})],
  );
  expect(wrong).toEqual([]);
  const [count] = await sql<{ counted: number; live: number }>(
    `select i.comment_count as counted, (select count(*) from comment c where c.issue_id = i.id and c.deleted_at is null) as live
     from issue i join comment mine on mine.issue_id = i.id and mine.id = $1`,
    [await made({})],
  );
  expect(count?.counted).toBe(count?.live);
  const [deadlocks] = await sql<{ deadlocks: number }>(
    `select deadlocks from pg_stat_database where datname = current_database()`,
  );
  expect(deadlocks?.deadlocks).toBe(0);
});

test("only those who see the project are mentioned and watch", async () => {
  const { owner, as, sql, project } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const [admin, member, outside, guest, stranger] = [
    await as({ role: "admin" }),
    await as({ role: "member", projectRole: "member" }),
    await as({ role: "member" }),
    await as({ role: "guest", projectRole: "viewer" }),
    await as({ role: "guest" }),
  ];
  const body_md = [admin, member, outside, guest, stranger].map(({ userId }) => `@[x](${userId})`).join(" ");
  const mentioned = async () => {
    const { data } = await owner.post("P/issues/WEB-1/comments", { body_md }).expect(201);
    return data.mentions.map(({ id }: { id: string }) => id);
  };
  const watchers = async () => (await owner.get("P/issues/WEB-1").expect(200)).data.counts.watchers;
  await sql(`update project set scoped = true where id = $1`, [project.id]);
  expect(await mentioned()).toEqual([admin.userId, member.userId, guest.userId]);
  expect(await watchers()).toBe(4);
  await sql(`update project set scoped = false where id = $1`, [project.id]);
  expect(await mentioned()).toEqual([admin.userId, member.userId, outside.userId, guest.userId]);
});
