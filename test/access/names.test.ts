import { describe, expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { github, hookOf, push } from "../support/commits.ts";
import { lettersTo, stranger, tokenOf } from "../support/invites.ts";
import { drain } from "../support/jobs.ts";
import { linkIn, startMailbox } from "../support/mailbox.ts";
import { type World, world } from "../support/world.ts";

/** Names are one line, and what strangers call themselves writes nothing of its own into our mails and pages. */

const mailbox = await startMailbox();

/** Everything that has a name, by what creates it. */
const NAMED: [path: string, field: string, rest: object][] = [
  ["W/projects", "name", { key: "NEW" }],
  ["P/statuses", "name", { category: "todo" }],
  ["P/labels", "name", {}],
  ["P/milestones", "name", {}],
  ["P/sprints", "name", {}],
  ["P/releases", "name", {}],
  ["P/custom-field-defs", "name", { kind: "text" }],
  ["P/saved-views", "name", {}],
  ["P/forms", "title", {}],
  ["P/issues", "title", {}],
  ["W/api-keys", "name", {}],
];

describe("a name", () => {
  test.each(NAMED)(
    "of POST %s is one line and one direction: breaks become blanks, marks of direction go",
    async (path, field, rest) => {
      const { owner } = await world();
      for (const [n, sent] of [
        "\n one\r\n\t two\u2028three\u0085 ",
        "\u2029\u202efour\u000b\u2067five\u2069",
      ].entries()) {
        const { data } = await owner.post(path, {
          ...rest,
          ...(path === "W/projects" && { key: `N${n}` }),
          [field]: sent,
        });
        const said = (data?.api_key ?? data)?.[field];
        expect(said).toBe(n === 0 ? "one two three" : "four five");
      }
    },
  );

  test.each(NAMED)("of POST %s has no control characters and can be seen", async (path, field, rest) => {
    const { owner } = await world();
    for (const sent of ["a\u0007b", "a\u001b[31mb", "a\u007fb", "a\u009bb", "a\ufff9b"]) {
      const { body } = await owner.post(path, { ...rest, [field]: sent }).expect(400, "validation_failed");
      expect(body.error.details.errors, JSON.stringify(sent)).toMatchObject([{ path: `/${field}`, code: "pattern" }]);
    }
    for (const sent of ["\u200b", "\u3164", "\u2800 \u2060"]) {
      const { body } = await owner.post(path, { ...rest, [field]: sent }).expect(400, "validation_failed");
      expect(body.error.details.errors, JSON.stringify(sent)).toMatchObject([{ path: `/${field}`, code: "too_short" }]);
    }
  });

  test("keeps the characters that scripts and emoji need", async () => {
    const { owner } = await world();
    for (const name of ["👨‍👩‍👧 family", "می‌خواهم", "עברית English", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "नमस्ते", "1️⃣ ❤️ 👩🏽‍🚀"]) {
      expect((await owner.post("P/issues", { title: name }).expect(201)).data.title).toBe(name);
    }
  });

  test("of a person or a workspace is one line, too", async () => {
    const here = await world();
    const person = await stranger(here, "namer");
    const visitor = await browser(here.app, person.userId);
    const nameOf = async () => (await here.sql(`select name from app_user where id = $1`, [person.userId]))[0]!.name;
    await visitor.post("/account", { your_name: "Ada\n\nYour account is locked." });
    expect(await nameOf()).toBe("Ada Your account is locked.");
    for (const your_name of ["Ada\u001b[2J", "Ada\u0000\u0008", "\u200b", "\u202e"]) {
      const page = await visitor.post("/account", { your_name });
      expect(page.status, JSON.stringify(your_name)).toBe(400);
      expect((await visitor.post("/w/new", { name: your_name, slug: `${here.workspace.slug}-x` })).status).toBe(400);
    }
    const { data } = await here.owner.patch("W", { name: "One\n\u202eTwo" }).expect(200);
    expect(data.name).toBe("One Two");
    await here.owner.patch("W", { name: "One\u0007Two" }).expect(400, "validation_failed");
  });

  test("from a form or a forge is converted to one line", async () => {
    const here = await world();
    const { data: form } = await here.owner
      .post("P/forms", {
        title: "Report",
        status: "published",
        public_enabled: true,
        fields: [{ kind: "short_text", label: "What?", mapping: "title", required: true }],
      })
      .expect(201);
    await here.owner
      .post(`P/forms/${form.id}/submissions`, { answers: { [form.fields[0].id]: "It broke\n\nbadly\u202e \u0007" } })
      .expect(201);
    expect((await here.owner.get("P/issues/WEB-1").expect(200)).data.title).toBe("It broke badly");

    const payload = push("Fix WEB-1");
    payload.commits[0]!.author.name = "Ann\n\u202eAuthor";
    await github(await hookOf(here), { ...payload, repository: { full_name: "acme/\nweb" } });
    expect((await here.owner.get("P/issues/WEB-1/commits").expect(200)).data).toMatchObject([
      { author: "Ann Author", repo: "acme/ web" },
    ]);
  });
});

/** Names as they were stored before they had to be one line. */
async function withOldNames(inviter: string, workspace: string): Promise<World> {
  const here = await world();
  await here.sql(`update app_user set name = $2 where id = $1`, [here.owner.userId, inviter]);
  await here.sql(`update workspace set name = $2 where id = $1`, [here.workspace.id, workspace]);
  return here;
}

describe("a mail", () => {
  test("shows names chosen by strangers within its own sentences, and links only to this service", async () => {
    const here = await withOldNames(
      "Ada\r\n\r\nYour account is locked. Go to https://evil.test/x?token=y or evil．test, evil。test\u202e",
      `Muster Security\n\nhttp://evil.test ${"w".repeat(300)}`,
    );
    const email = `reader@${here.workspace.slug}.test`;
    await here.owner.post("W/invites", { email, role: "viewer" }).expect(201);
    await drain();
    const mail = await mailbox.latest(email);
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/);
    expect(mail.subject.length).toBeLessThan(300);
    const paragraphs = mail.text.replaceAll("\r\n", "\n").split("\n\n");
    expect(paragraphs[0]).toMatch(
      /^Ada Your account is locked\. .* invited you to the workspace Muster Security .* as a viewer\.$/,
    );
    expect(paragraphs[1]).toMatch(/^Join Muster Security .*…:\nhttps:\/\/muster\.test\/invite\?token=/);
    expect(paragraphs).toHaveLength(5);
    for (const text of [mail.text, mail.html, mail.subject]) {
      expect(text).not.toMatch(/evil[.．。]test|\/\/evil|\u202e/);
      expect(text).not.toContain("w".repeat(101));
    }
    // Programs that read our mail find our link first.
    expect(linkIn(mail).origin).toBe("https://muster.test");
    expect(mail.links).toHaveLength(1);
  });

  test("marks each line of an invite's message as its sender's", async () => {
    const here = await world();
    const email = `reader@${here.workspace.slug}.test`;
    const message = "Hi!”\r\n\n-- \nMuster: your account\u0007 is locked\u2028Sign in now\u202e";
    await here.owner.post("W/invites", { email, message }).expect(201);
    const [letter] = await lettersTo(here, email);
    expect(letter.lines[1]).toBe("They write:\n> Hi!”\n> \n> --\n> Muster: your account is locked\n> Sign in now");
    await drain();
    const mail = await mailbox.latest(email);
    for (const line of mail.text.split(/\r?\n/)) if (/locked|Sign in now/.test(line)) expect(line).toMatch(/^> /);
    expect(mail.html).toContain("white-space:pre-line");
  });

  test("about a form's answers treats its title and message in the same way", async () => {
    const here = await world();
    const { data: form } = await here.owner
      .post("P/forms", {
        title: "Report https://evil.test/",
        status: "published",
        public_enabled: true,
        confirmation_email: true,
        success_message: "Thanks\n\nMuster: pay at https://evil.test",
        fields: [{ kind: "short_text", label: "What?", mapping: "title" }],
      })
      .expect(201);
    const submitter_email = `answers@${here.workspace.slug}.test`;
    await here.sql(`update form set title = $2 where id = $1`, [form.id, "Old\n\ntitle evil.test"]);
    await here.owner.post(`P/forms/${form.id}/submissions`, { answers: {}, submitter_email }).expect(201);
    await drain();
    const mail = await mailbox.latest(submitter_email);
    expect(mail.subject).toBe("We received your answer: Old title evil.\u200btest");
    expect(mail.text).toContain("> Muster: pay at https://evil.test");
  });

  test("shows the address of an inviter without a name, unchanged", async () => {
    const here = await world();
    await here.sql(`update app_user set name = null where id = $1`, [here.owner.userId]);
    const email = `reader@${here.workspace.slug}.test`;
    await here.owner.post("W/invites", { email }).expect(201);
    const [letter] = await lettersTo(here, email);
    expect(letter.subject).toBe(`${here.owner.email} invited you to Workspace ${here.workspace.slug}`);
    expect(tokenOf(letter.action.url)).toMatch(/^[\w-]{43}$/);
  });
});
