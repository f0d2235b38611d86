import { describe, expect, test } from "vitest";
import { mentionsIn } from "../../src/domain/kernel/mentions.ts";
import { worstTexts } from "../contract/worst-texts.ts";
import { agentIn } from "../support/agents.ts";
import { leastCpu } from "../support/least.ts";
import { type World, world } from "../support/world.ts";

/** Texts mention agents by handle, as they mention people by id. */

describe("handles in a text", () => {
  const cases: [string, string[]][] = [
    ["@bot, and (@Other-Bot)! **@third** @bot's", ["bot", "other-bot", "third"]],
    ["Ask @bot.", ["bot"]],
    ["@bot: please look\n@last", ["bot", "last"]],
    ["@bot- @-bot @", ["bot"]],
    ["a@bot @bot@b @scope/package @a.b x.@bot /@bot @bot_x ä@bot @botä \\@bot", []],
    ["`@bot` ``a ` @bot`` ```ts\n@bot ``` @real", ["real"]],
    ["` @bot", ["bot"]],
    ["`a` @bot `b`", ["bot"]],
    [
      "~~~yaml\n@bot\n~~~\n````\n```\n@bot\n````\n- x\n  ```\n  @bot\n\n  @bot\n  ```\n\n> ~~~\n> @bot\n\n@real",
      ["real"],
    ],
    ['text\n\n    @bot\n\n<!-- @bot\n\n@bot -->@first\n\nsee <!-- @bot --> [x](/y "@bot") ![@bot](z)', ["first"]],
    ["\\@bot \\`@real\\`", ["real"]],
    ["[a]() [b](<>) ]( @real [c]( @last", ["real", "last"]],
    ["[a](/x '@bot') [b](/x (@bot)) @real", ["real"]],
    ["![a\n@bot](z) @real", ["real"]],
    ["<!-- @bot -->     @real", ["real"]],
    ["  ```\n\n@bot\n\n  ```\n@real\n\n ~~~\n\n@bot", ["real"]],
    ["  ```\n@bot\n```\n@real", ["real"]],
    ["1. a\n  ~~~\n  @bot\n~~~\n@real", ["real"]],
    ["- a\n  ```\n  @bot\n\n  @bot\n```\n@bot\n```\n@real", ["real"]],
    [
      "https://a.test/?to=@bot (HTTP://a.test/a;@bot) *ftp://a.test/~@bot* https://a.test, @real x+http: @last",
      ["real", "last"],
    ],
    [`@${"a".repeat(41)} @${"a".repeat(40)}`, ["a".repeat(40)]],
  ];
  test.each(cases)("%s", (text, expected) => expect(mentionsIn(text).handles).toEqual(expected));

  test("are at most a hundred, and are found in time that grows with the text", () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `@a${n}`).join(" ");
    expect(mentionsIn(many).handles).toHaveLength(100);
    const runs = Array.from({ length: 1_400 }, (_, n) => "`".repeat(n + 1)).join(" @ ");
    const hostile = ["@a-".repeat(300_000), "@".repeat(900_000), `${"` ".repeat(400_000)}@`, `${runs}@`];
    for (const text of hostile) {
      expect(
        leastCpu(() => mentionsIn(text), 5),
        `${text.slice(0, 10)}…`,
      ).toBeLessThan(25);
    }
  });
});

test("ids are mentions where handles are", () => {
  const id = "01a20b0f-8918-7393-9d1d-dea9ae191826";
  const mention = `@[Emi](${id})`;
  for (const text of [
    `\`${mention}\``,
    `\`\`\`\n${mention}\n\`\`\``,
    `~~~\n${mention}`,
    `x\n\n    ${mention}`,
    `\\${mention}`,
    `<!-- ${mention} -->`,
    `![${mention}](x.png)`,
    `[x](<${mention}>)`,
    `https://a.test/${mention}`,
    `&#64;[Emi](${id})`,
    ...["code", "pre", "kbd", "KBD", "samp class=x"].map((tag) => `<${tag}>${mention} @bot</${tag.split(" ")[0]}>`),
    `<pre>\n${mention}\n</pre>`,
    `x <!-- ${"y ".repeat(3_000)}${mention} -->`,
    `- a\n\n  <!--\n\n  ${mention} @bot\n\n  -->`,
    ` <!--\n\n${mention} -->`,
    `> <!--\n>\n> ${mention}\n> -->`,
  ])
    expect(mentionsIn(text), text).toEqual({ ids: [], handles: [] });
  const spelt = `**${mention}** [with @[Emi](${id.replaceAll("-", "").toUpperCase()})](https://a.test)`;
  expect(mentionsIn(spelt).ids).toEqual([id]);
  for (const text of [
    "<kbd>x</kbd> ",
    "`<code>` ",
    "<code> ",
    "<details>\n<summary>",
    "<!-- x --> ",
    "> <!--\n\nx <!--\n\n",
  ])
    expect(mentionsIn(`${text}${mention}`).ids, text).toEqual([id]);
  const log = `\`\`\`\n${"a line of a log with @bot\n\n".repeat(15_000)}\`\`\`\n\n${mention}`;
  expect(mentionsIn(log)).toEqual({ ids: [id], handles: [] });
});

test.each([...worstTexts(500_000), { what: "quotes", text: `${">".repeat(1_900)}@a\n${"b\n".repeat(60_000)}` }])(
  "$what do not delay the search for mentions",
  ({ text }) => {
    expect(leastCpu(() => mentionsIn(`${text} @bot`), 5)).toBeLessThan(50);
  },
);

const mentionedIn = async (here: World, type: string) => {
  const rows = await here.sql<{ context: { mentioned?: string[] } | null }>(
    `select context from event where workspace_id = $1 and type = $2 order by id`,
    [here.workspace.id, type],
  );
  return rows.map(({ context }) => context);
};

test("comments mention agents by handle; unknown handles and those of others stay text", async () => {
  const here = await world();
  const bot = await agentIn(here, { agent_name: "Triage bot" });
  const elsewhere = await here.other();
  await agentIn(elsewhere, { agent_name: "Foreign" });
  await here.owner.post("P/issues", { title: "x" }).expect(201);
  const body_md = "Look, @Triage-Bot and @foreign and @nobody: `@triage-bot`";
  const { data } = await here.owner.post("P/issues/WEB-1/comments", { body_md }).expect(201);
  expect(data.mentions).toEqual([{ id: bot.id, kind: "agent" }]);
  expect(data.body_md).toBe(body_md);
  expect(data.body_html).toContain(`<span class="mention" data-user-id="${bot.id}">@Triage-Bot</span> and @foreign`);
  expect(data.body_html).toContain("<code>@triage-bot</code>");
  expect((await here.owner.get("P/issues/WEB-1")).data.counts.watchers).toBe(2);

  const scoped = await here.hidden();
  await scoped.owner.post("P/issues", { title: "x" }).expect(201);
  const hidden = (await scoped.owner.post("P/issues/HID-1/comments", { body_md }).expect(201)).data;
  expect([hidden.mentions, hidden.body_html.includes("<span")]).toEqual([[], false]);

  const doc = (await here.owner.post("W/docs", { title: "Doc" }).expect(201)).data;
  const onDoc = (await here.owner.post(`W/docs/${doc.id}/comments`, { body_md }).expect(201)).data;
  expect(onDoc.mentions).toEqual([{ id: bot.id, kind: "agent" }]);
});

test("issues and docs mention agents by handle, each only once", async () => {
  const here = await world();
  const bot = await agentIn(here, { agent_name: "Bot" });
  const other = await agentIn(here, { agent_name: "Other" });
  const { key } = (await here.owner.post("P/issues", { title: "x", description_md: "@bot @nobody" }).expect(201)).data;
  await here.owner.post("P/issues", { title: "x", description_md: "@nobody" }).expect(201);
  await here.owner.post("P/issues", { title: "x", description_md: "a@b.test" }).expect(201);
  expect(await mentionedIn(here, "issue.created")).toEqual([{ mentioned: [bot.id] }, null, null]);
  const bulk = [{ title: "y", description_md: "@other" }, { title: "z" }];
  await here.owner.post("P/issues/bulk", { items: bulk }).expect(201);
  expect((await mentionedIn(here, "issue.created")).slice(3)).toEqual([{ mentioned: [other.id] }, null]);

  for (const description_md of ["@bot and @other", "@bot and @other!", `@other @[Bot](${bot.id})`])
    await here.owner.patch(`P/issues/${key}`, { description_md }).expect(200);
  const [first, second, third] = await mentionedIn(here, "issue.updated");
  expect([first, second, third]).toEqual([{ mentioned: [other.id] }, null, { mentioned: [bot.id] }]);

  const doc = (await here.owner.post("W/docs", { title: "Doc", body_md: "@bot" }).expect(201)).data;
  await here.owner.patch(`W/docs/${doc.id}`, { append: "and @other" }).expect(200);
  expect(await mentionedIn(here, "doc.created")).toEqual([{ mentioned: [bot.id] }]);
  expect(await mentionedIn(here, "doc.updated")).toEqual([{ mentioned: [other.id] }]);
});

test("chat messages mention agents by handle", async () => {
  const here = await world();
  const bot = await agentIn(here, { agent_name: "Bot" });
  const channel = (await here.owner.post("W/chat/channels", { name: "general" }).expect(201)).data;
  const path = `W/chat/channels/${channel.id}/messages`;
  expect((await here.owner.post(path, { body_md: "Hello @bot" }).expect(201)).data.mentions).toMatchObject([
    { id: bot.id },
  ]);
  expect((await here.owner.post(path, { body_md: "Hello @both" }).expect(201)).data.mentions).toEqual([]);
  // With another handle, the old one is no mention any more.
  await here.owner.patch(bot.path, { handle: "robin" }).expect(200);
  expect((await here.owner.post(path, { body_md: "Hello @bot" }).expect(201)).data.mentions).toEqual([]);
  expect((await here.owner.post(path, { body_md: "Hello @ROBIN" }).expect(201)).data.mentions).toMatchObject([
    { id: bot.id },
  ]);
});
