import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shownEmail } from "../../src/domain/kernel/email.ts";
import { startWeb } from "../../src/start-web.ts";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { Browser, type Page } from "../support/browser.ts";
import { codeIn, linkIn, startMailbox } from "../support/mailbox.ts";
import { startProcess } from "../support/process.ts";
import { world } from "../support/world.ts";

/** People sign in by a mail's link or code, create workspaces and sign out. */

const mailbox = await startMailbox();

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startWorker((await app()).config);
});
afterAll(() => worker.stop());

let counter = 0;
const someone = () => `person${++counter}@people.test`;
const newBrowser = async () => new Browser((await app()).baseUrl);
const sql = async <Row>(text: string, values: unknown[] = []) =>
  (await app()).resources.database.query<Row>({ text }, values);

async function ask(visitor: Browser, email: string, returnTo?: string): Promise<Page> {
  const page = await visitor.post("/sign-in", { email, ...(returnTo === undefined ? {} : { return_to: returnTo }) });
  expect(page.status, page.text).toBe(303);
  return visitor.follow(page);
}

/** What a person does with the newest mail's link: open it, press the button. */
async function openLink(visitor: Browser, link: URL): Promise<Page> {
  const page = await visitor.get(link.pathname + link.search);
  expect(page.status, page.text).toBe(200);
  return pressLink(visitor, link);
}
const pressLink = (visitor: Browser, link: URL) =>
  visitor.post("/sign-in/link", { token: link.searchParams.get("token") ?? "" });

const isIn = async (visitor: Browser) =>
  (await visitor.get("/w")).headers.get("location") !== "/sign-in?return_to=%2Fw";
const goesTo = (page: Page) => `${page.status} ${page.headers.get("location")}`;

/** A new person, signed in. */
async function arrived(email = someone()): Promise<Browser> {
  const visitor = await newBrowser();
  await ask(visitor, email);
  await openLink(visitor, linkIn(await mailbox.latest(email)));
  return visitor;
}

describe("the link", () => {
  test("signs a new person in, who then creates a workspace", async () => {
    const email = someone();
    const visitor = await newBrowser();
    expect((await visitor.get("/sign-in")).text).toContain('inputmode="email"');
    const sent = await ask(visitor, ` ${email} `);
    expect(sent.text).toContain("Check your mail");
    expect(sent.text).toContain('autocomplete="one-time-code"');

    const mail = await mailbox.latest(email);
    const link = linkIn(mail);
    expect(`${link.origin}${link.pathname}`).toBe("https://muster.test/sign-in/link");
    expect((await visitor.get(link.pathname + link.search)).text).toContain(email);
    const pressed = await pressLink(visitor, link);
    expect(goesTo(pressed)).toBe("303 /w");
    const cookie = pressed.headers.getSetCookie().find((line) => line.includes("muster_session"));
    expect(cookie).toMatch(/^__Host-muster_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/);
    expect(goesTo(await visitor.get("/w"))).toBe("303 /w/new");
    expect((await visitor.get("/w/new")).text).toContain('name="your_name"');

    const slug = `found-${counter}`;
    const made = await visitor.post("/w/new", { your_name: "Ada L.", name: "Ada & Co", slug });
    expect(goesTo(made)).toBe(`303 /w/${slug}`);
    const page = await visitor.follow(made);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Ada &amp; Co");
    expect(goesTo(await visitor.get("/w"))).toBe(`303 /w/${slug}`);
    const [stored] = await sql(
      `select u.name, m.role, w.plan from workspace w join member m on m.workspace_id = w.id
       join app_user u on u.id = m.user_id where w.slug = $1`,
      [slug],
    );
    expect(stored).toEqual({ name: "Ada L.", role: "owner", plan: "business" });
  });

  test("can be opened without effect, works once, and says so afterwards", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email);
    const link = linkIn(await mailbox.latest(email));
    const scanner = await newBrowser();
    for (let looks = 0; looks < 3; looks++) await scanner.get(link.pathname + link.search);
    const { baseUrl } = await app();
    const head = await fetch(`${baseUrl}${link.pathname}${link.search}`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(scanner.cookies.size).toBe(0);

    const pressed = await Promise.all(Array.from({ length: 6 }, async () => pressLink(await newBrowser(), link)));
    expect(pressed.filter(({ status }) => status === 303)).toHaveLength(1);
    const late = pressed.find(({ status }) => status !== 303)!;
    expect(late.status).toBe(410);
    expect(late.text).toContain("already been used");
    expect(late.text).toContain('href="/sign-in"');
    expect((await scanner.get(link.pathname + link.search)).status).toBe(410);
  });

  test("works for a person who presses the button twice", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email);
    const link = linkIn(await mailbox.latest(email));
    await pressLink(visitor, link);
    expect(goesTo(await pressLink(visitor, link))).toBe("303 /w");
  });

  test("signs in the browser that opens it, never the one that requested it", async () => {
    const email = someone();
    const asker = await newBrowser();
    await ask(asker, email);
    const reader = await newBrowser();
    await openLink(reader, linkIn(await mailbox.latest(email)));
    expect(await isIn(reader)).toBe(true);
    expect(await isIn(asker)).toBe(false);
    // The code went with the link.
    const code = codeIn(await mailbox.latest(email));
    expect((await asker.post("/sign-in/code", { code })).status).toBe(410);
    expect(await isIn(asker)).toBe(false);
  });

  test("expires after fifteen minutes, and is unknown with a changed letter", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email);
    const mail = await mailbox.latest(email);
    const link = linkIn(mail);
    const [times] = await sql<{ minutes: number }>(
      "select round(extract(epoch from expires_at - created_at) / 60)::int as minutes from sign_in where email = $1",
      [email],
    );
    expect(times).toEqual({ minutes: 15 });
    await sql("update sign_in set expires_at = now() where email = $1", [email]);
    expect((await visitor.get(link.pathname + link.search)).text).toContain("older than 15 minutes");
    expect((await pressLink(visitor, link)).status).toBe(410);
    expect((await visitor.post("/sign-in/code", { code: codeIn(mail) })).status).toBe(410);
    for (const token of ["", "x", "a".repeat(5_000), `${link.searchParams.get("token")}x`]) {
      expect((await visitor.get(`/sign-in/link?token=${token}`)).status).toBe(410);
      expect((await visitor.post("/sign-in/link", { token })).status).toBe(410);
    }
    expect(await isIn(visitor)).toBe(false);
  });

  test("opens a session that is new each time, and the one before it in this browser ends", async () => {
    const email = someone();
    const visitor = await arrived(email);
    const [name, first] = [...visitor.cookies].find(([key]) => key.endsWith("muster_session"))!;
    const planted = await newBrowser();
    planted.cookies.set(name, "planted".padEnd(43, "x"));
    await ask(planted, email);
    await openLink(planted, linkIn(await mailbox.latest(email, { count: 2 })));
    expect(planted.cookies.get(name)).not.toBe("planted".padEnd(43, "x"));

    const other = someone();
    await visitor.post("/sign-in", { email: other });
    await openLink(visitor, linkIn(await mailbox.latest(other)));
    expect(visitor.cookies.get(name)).not.toBe(first);
    const old = await newBrowser();
    old.cookies.set(name, first);
    expect(await isIn(old)).toBe(false);
    expect(await isIn(planted)).toBe(true);
  });
});

describe("the code", () => {
  test("signs in the browser that asked", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email, "/w/new?x=1");
    const code = codeIn(await mailbox.latest(email));
    const typed = await visitor.post("/sign-in/code", { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
    expect(goesTo(typed)).toBe("303 /w/new?x=1");
    expect(await isIn(visitor)).toBe(true);
    // And no other link of that mail is left.
    expect((await pressLink(await newBrowser(), linkIn(await mailbox.latest(email)))).status).toBe(410);
  });

  test.each([
    [
      "full-width digits",
      (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
    ["Persian digits", (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x6f0 + Number(digit)))],
    [
      "dashes and no-break spaces",
      (code: string) => `${code.slice(0, 2)}\u00a0–\u200b${code.slice(2, 4)}-${code.slice(4)}`,
    ],
  ])("is read with %s", async (_, written) => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email);
    const code = codeIn(await mailbox.latest(email));
    expect((await visitor.post("/sign-in/code", { code: written(code) })).status).toBe(303);
  });

  test.each(["jo@bücher-NAME.de", "用户NAME@例え.jp"])("signs in %s, in each spelling of it", async (template) => {
    const name = Math.random().toString(36).slice(2, 8);
    const email = template.replace("NAME", name);
    const person = async (typed: string) => {
      const visitor = await newBrowser();
      await ask(visitor, typed);
      const [request] = await sql<{ email: string }>(`select email from sign_in order by created_at desc limit 1`);
      const stored = request!.email;
      expect(stored.split("@")[1]).toMatch(/^xn--[a-z0-9-]+\.[a-z]+$/);
      const mail = await mailbox.latest(shownEmail(stored), { count: typed === email ? 1 : 2 });
      await visitor.post("/sign-in/code", { code: codeIn(mail) });
      expect(await isIn(visitor)).toBe(true);
      return stored;
    };
    const stored = await person(email);
    expect(await person(email.toUpperCase().normalize("NFD"))).toMatch(new RegExp(`^.*@${stored.split("@")[1]}$`));
    const accounts = await sql(`select 1 from app_user where lower(email) = lower($1)`, [stored]);
    expect(accounts).toHaveLength(1);
  });

  test("does not work in another browser", async () => {
    const email = someone();
    await ask(await newBrowser(), email);
    const code = codeIn(await mailbox.latest(email));
    const other = await newBrowser();
    expect((await other.post("/sign-in/code", { code })).status).toBe(410);
    await ask(other, someone());
    expect((await other.post("/sign-in/code", { code })).status).toBe(400);
    expect(await isIn(other)).toBe(false);
  });

  test("of an older mail counts as wrong", async () => {
    const [first, second] = [someone(), someone()];
    const visitor = await newBrowser();
    await ask(visitor, first);
    const old = codeIn(await mailbox.latest(first));
    await ask(visitor, second);
    const code = codeIn(await mailbox.latest(second));
    if (old !== code) expect((await visitor.post("/sign-in/code", { code: old })).status).toBe(400);
    expect((await visitor.post("/sign-in/code", { code })).status).toBe(303);
  });

  test("ends after five wrong tries, even concurrent ones; the link stays valid", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email);
    const mail = await mailbox.latest(email);
    const wrong = String((Number(codeIn(mail)) + 1) % 1_000_000).padStart(6, "0");
    const tries = await Promise.all(
      [wrong, "", "abc", "0".repeat(400), wrong, wrong, wrong, wrong].map((code) =>
        visitor.post("/sign-in/code", { code }),
      ),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([400, 400, 400, 400, 429, 429, 429, 429]);
    expect((await visitor.post("/sign-in/code", { code: codeIn(mail) })).status).toBe(429);
    expect(await sql("select wrong_codes from sign_in where email = $1", [email])).toEqual([{ wrong_codes: 5 }]);
    expect((await pressLink(visitor, linkIn(mail))).status).toBe(303);
  });
});

describe("Send a new mail", () => {
  const again = (visitor: Browser) => visitor.post("/sign-in/code/resend");
  const aged = (email: string, seconds: number) =>
    sql("update sign_in set created_at = created_at - $2 * interval '1 second' where email = $1", [email, seconds]);

  test("sends another code, which replaces the first, and leads where the person wanted to go", async () => {
    const email = someone();
    const visitor = await newBrowser();
    expect((await ask(visitor, email, "/w/new?x=1")).text).toContain("Send a new mail");
    const first = codeIn(await mailbox.latest(email));
    await aged(email, 61);
    const page = await visitor.follow(await again(visitor));
    expect(page.text).toContain("We sent a new mail. Its code replaces the earlier one.");
    const second = codeIn(await mailbox.latest(email, { count: 2 }));
    if (first !== second) {
      const wrong = await visitor.post("/sign-in/code", { code: first });
      expect(wrong.status).toBe(400);
      expect(wrong.text).toContain("Use the one in the newest mail");
    }
    expect(goesTo(await visitor.post("/sign-in/code", { code: second }))).toBe("303 /w/new?x=1");
  });

  test("waits a minute after the last one, says how long, and sends one if pressed twice", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email);
    const early = await again(visitor);
    expect(early.status).toBe(429);
    expect(early.text).toMatch(/You can request another in (60|5\d) seconds/);
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(50);
    expect(early.text).toContain('name="code"');
    await aged(email, 61);
    const pressed = await Promise.all([1, 2, 3, 4].map(() => again(visitor)));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 429, 429, 429]);
    await mailbox.latest(email, { count: 2 });
    const [row] = await sql<{ n: number }>("select count(*)::int as n from sign_in where email = $1", [email]);
    expect(row!.n).toBe(2);
  });

  test("works from the pages that say a code has expired or was wrong too often", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email);
    for (let n = 0; n < 4; n++) await visitor.post("/sign-in/code", { code: "x" });
    const over = await visitor.post("/sign-in/code", { code: "x" });
    expect(over.status).toBe(429);
    expect(over.text).toContain(`Send a new mail to ${email}`);
    await sql("update sign_in set expires_at = now() where email = $1", [email]);
    await aged(email, 61);
    const expired = await visitor.post("/sign-in/code", { code: "123456" });
    expect(expired.text).toContain("older than 15 minutes. Get a new mail, and use it sooner.");
    expect((await again(visitor)).status).toBe(303);
    const code = codeIn(await mailbox.latest(email, { count: 2 }));
    expect((await visitor.post("/sign-in/code", { code })).status).toBe(303);
  });

  test("has the limits of the first mail, and sends nothing for a browser that asked for none", async () => {
    const email = someone();
    const visitor = await newBrowser();
    for (let n = 0; n < 4; n++) await ask(await newBrowser(), email);
    await ask(visitor, email);
    await aged(email, 61);
    const refused = await again(visitor);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("Open the link in the newest one");
    const stranger = await newBrowser();
    expect((await again(stranger)).status).toBe(410);
    stranger.cookies.set("__Host-muster_sign_in", "planted".padEnd(43, "x"));
    const planted = await again(stranger);
    expect([planted.status, planted.text.includes(email)]).toEqual([410, false]);
    expect((await visitor.post("/sign-in/code/resend", {}, { origin: "https://evil.test" })).status).toBe(403);
  });
});

describe("where a person wanted to go", () => {
  const place = "/invite?token=abc";
  const signIn = `href="/sign-in?return_to=${encodeURIComponent(place)}"`;
  const plain = ({ text }: Page) => text.replaceAll("&#x3D;", "=");

  test("is kept by each page that offers another mail", async () => {
    const email = someone();
    const visitor = await newBrowser();
    expect(plain(await ask(visitor, email, place))).toContain(signIn);
    const mail = await mailbox.latest(email);
    const wrong = String((Number(codeIn(mail)) + 1) % 1_000_000).padStart(6, "0");
    expect(plain(await visitor.post("/sign-in/code", { code: wrong }))).toContain(signIn);
    await sql("update sign_in set expires_at = now() where email = $1", [email]);
    expect(plain(await visitor.post("/sign-in/code", { code: wrong }))).toContain(signIn);
    expect(plain(await pressLink(visitor, linkIn(mail)))).toContain(signIn);
    const link = linkIn(mail);
    expect(plain(await visitor.get(link.pathname + link.search))).toContain(signIn);
    expect(goesTo(await visitor.get("/sign-in/code"))).toBe(`303 /sign-in?return_to=${encodeURIComponent(place)}`);
  });

  test("is where the link leads when it is pressed twice", async () => {
    const email = someone();
    const visitor = await newBrowser();
    await ask(visitor, email, place);
    const link = linkIn(await mailbox.latest(email));
    expect(goesTo(await pressLink(visitor, link))).toBe(`303 ${place}`);
    expect(goesTo(await pressLink(visitor, link))).toBe(`303 ${place}`);
  });
});

describe("requesting a link", () => {
  test("answers the same for a known and an unknown address", async () => {
    const { owner } = await world();
    const answers = await Promise.all(
      [owner.email, someone()].map(async (email) => {
        const visitor = await newBrowser();
        const posted = await visitor.post("/sign-in", { email });
        const page = await visitor.follow(posted);
        await mailbox.latest(email);
        return {
          goesTo: goesTo(posted),
          text: page.text.replaceAll(email, "EMAIL"),
          headers: [...posted.headers.keys()],
        };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test("signs a known person in as themselves, whatever the case of the address", async () => {
    const { owner, workspace } = await world();
    const visitor = await newBrowser();
    await ask(visitor, owner.email.toUpperCase());
    await openLink(visitor, linkIn(await mailbox.latest(owner.email)));
    expect(goesTo(await visitor.get("/w"))).toBe(`303 /w/${workspace.slug}`);
  });

  test.each(["", "nobody", "a@b", "a@b.test, c@d.test", "a@b.test\r\nBcc: c@d.test", "<a@b.test>", "x".repeat(400)])(
    "refuses %j, which is no address",
    async (email) => {
      const page = await (await newBrowser()).post("/sign-in", { email, return_to: "/w/new" });
      expect(page.status).toBe(400);
      expect(page.text).toContain("The e-mail address must look like name@example.com");
      expect(page.text.replaceAll("&#x2F;", "/")).toContain('name="return_to" value="/w/new"');
    },
  );

  test("again within the hour is refused with the time for which the newest link works", async () => {
    const email = someone();
    for (let n = 0; n < 5; n++) await ask(await newBrowser(), email);
    const refused = await (await newBrowser()).post("/sign-in", { email });
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("Open the link in the newest one: it works for 15 minutes more");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect((await pressLink(await newBrowser(), linkIn(await mailbox.latest(email, { count: 5 })))).status).toBe(303);
  });

  test("is limited per address of the network", async () => {
    const { config } = await app();
    const web = await startWeb({ ...config, SIGN_INS_PER_MINUTE: 3, REDIS_PREFIX: `${config.REDIS_PREFIX}_limited` });
    const visitor = new Browser(`http://127.0.0.1:${web.port}`);
    // Without Redis nothing is limited.
    await expect.poll(async () => (await visitor.get("/readyz")).status).toBe(200);
    const tried = [];
    for (let tries = 0; tries < 3; tries++) tried.push((await visitor.post("/sign-in", { email: someone() })).status);
    const refused = await visitor.post("/sign-in", { email: someone() });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect([...tried, refused.status]).toEqual([303, 303, 303, 429]);
    await web.stop();
  });

  test("is refused with a page of its own while mail is off", async () => {
    const { config } = await app();
    const { SMTP_URL: _, ...without } = config;
    const web = await startWeb({ ...without, SMTP_URL: undefined });
    const visitor = new Browser(`http://127.0.0.1:${web.port}`);
    for (const page of [await visitor.get("/sign-in"), await visitor.post("/sign-in", { email: someone() })]) {
      expect(page.status).toBe(503);
      expect(page.text).toContain("Mail is off");
    }
    await web.stop();
  });
});

describe("other sites", () => {
  test.each([
    "https://evil.test",
    "//evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "/\t/evil.test",
    "\n//evil.test",
    "javascript:alert(1)",
    "w/new",
    "/w\r\nSet-Cookie: a=b",
    `/${"x".repeat(3_000)}`,
    "",
  ])("are not where %j leads after signing in", async (returnTo) => {
    const visitor = await newBrowser();
    const email = someone();
    await ask(visitor, email, returnTo);
    const code = codeIn(await mailbox.latest(email));
    expect(goesTo(await visitor.post("/sign-in/code", { code }))).toBe("303 /w");
    expect(goesTo(await visitor.get(`/sign-in?return_to=${encodeURIComponent(returnTo)}`))).toBe("303 /w");
  });

  test("cannot send our forms", async () => {
    const visitor = await newBrowser();
    const email = someone();
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.test" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      expect((await visitor.post("/sign-in", { email }, headers)).status).toBe(403);
    }
    expect(mailbox.to(email)).toEqual([]);
    await ask(visitor, email);
    const token = linkIn(await mailbox.latest(email)).searchParams.get("token")!;
    const code = codeIn(await mailbox.latest(email));
    for (const headers of foreign) {
      expect((await visitor.post("/sign-in/link", { token }, headers)).status).toBe(403);
      expect((await visitor.post("/sign-in/code", { code }, headers)).status).toBe(403);
    }
    expect((await visitor.post("/sign-in/link", { token })).status).toBe(303);
    for (const headers of foreign) {
      expect((await visitor.post("/sign-out", {}, headers)).status).toBe(403);
      expect((await visitor.post("/w/new", { your_name: "E", name: "E" }, headers)).status).toBe(403);
    }
    expect(goesTo(await visitor.get("/w"))).toBe("303 /w/new");
  });
});

describe("signing out", () => {
  test("ends the session of this browser", async () => {
    const visitor = await arrived();
    const cookies = new Map(visitor.cookies);
    expect(goesTo(await visitor.post("/sign-out"))).toBe("303 /sign-in");
    expect(visitor.cookies.size).toBe(0);
    const thief = await newBrowser();
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    expect(await isIn(thief)).toBe(false);
    expect((await (await newBrowser()).post("/sign-out")).status).toBe(303);
  });

  test("everywhere ends all sessions of the person, and nobody else's", async () => {
    const email = someone();
    const here = await arrived(email);
    const there = await newBrowser();
    await ask(there, email);
    await openLink(there, linkIn(await mailbox.latest(email, { count: 2 })));
    const stranger = await arrived();
    await here.post("/sign-out", { everywhere: "yes" });
    expect(await isIn(here)).toBe(false);
    expect(await isIn(there)).toBe(false);
    expect(await isIn(stranger)).toBe(true);
  });
});

describe("creating a workspace", () => {
  const slug = (name: string) => `${name}-${Math.random().toString(36).slice(2, 8)}`;

  test("derives the slug from the name, and offers free ones if it is taken", async () => {
    const name = slug("Müller & Söhne");
    const expected = name.replace("Müller & Söhne", "muller-sohne");
    const first = await arrived();
    expect(goesTo(await first.post("/w/new", { your_name: "M", name }))).toBe(`303 /w/${expected}`);
    const second = await arrived();
    const taken = await second.post("/w/new", { your_name: "N", name });
    expect(taken.status).toBe(409);
    expect(taken.text).toContain(`${expected}-team, ${expected}-hq, ${expected}-2`);
    expect(taken.text).toContain('value="N"');
    expect(goesTo(await second.post("/w/new", { your_name: "N", name, slug: `${expected}-hq` }))).toBe(
      `303 /w/${expected}-hq`,
    );
    // Another workspace. The name is not requested again.
    expect((await second.get("/w/new")).text).not.toContain("your_name");
    expect((await second.post("/w/new", { name: "Second", slug: slug("second") })).status).toBe(303);
    const list = await second.get("/w");
    expect(list.status).toBe(200);
    expect(list.text).toContain(`${expected}-hq`);
  });

  test("transliterates names of other scripts, and finds an address for a name without letters", async () => {
    const visitor = await arrived();
    const made = slug("Команда");
    expect(goesTo(await visitor.post("/w/new", { your_name: "A", name: made }))).toBe(
      `303 /w/${made.replace("Команда", "komanda")}`,
    );
    expect(goesTo(await visitor.post("/w/new", { name: "☙ ❧" }))).toMatch(/^303 \/w\/team-[0-9a-f]{8}$/);
  });

  test.each<[string, Record<string, string>]>([
    ["no name of the person", { your_name: " ", name: "A" }],
    ["no name", { your_name: "A", name: "", slug: "good" }],
    ["a slug with signs", { your_name: "A", name: "A", slug: "a/../b" }],
    ["the slug of our own page", { your_name: "A", name: "A", slug: "new" }],
    ["a name too long", { your_name: "A", name: "x".repeat(101), slug: "good" }],
  ])("with %s is refused, and what was typed stays", async (_, fields) => {
    const visitor = await arrived();
    const page = await visitor.post("/w/new", fields);
    expect(page.status, page.text).toBe(400);
    expect(page.text).toContain("That did not work");
    expect((await visitor.get("/w/new")).text).toContain("your_name");
  });

  test("leads back to the page that requested one", async () => {
    const visitor = await arrived();
    const place = "/oauth/consent/abc?x=1";
    const form = await visitor.get(`/w/new?return_to=${encodeURIComponent(place)}`);
    expect(form.text.replaceAll("&#x2F;", "/").replaceAll("&#x3D;", "=")).toContain(
      `name="return_to" value="${place}"`,
    );
    const refused = await visitor.post("/w/new", { your_name: "", name: "A", return_to: place });
    expect(refused.text.replaceAll("&#x2F;", "/").replaceAll("&#x3D;", "=")).toContain(`value="${place}"`);
    const made = await visitor.post("/w/new", { your_name: "A", name: "A", slug: slug("back"), return_to: place });
    expect(goesTo(made)).toBe(`303 ${place}`);
    const next = slug("away");
    for (const [n, away] of ["//evil.test", "https://evil.test/", "/\\evil.test"].entries()) {
      const stays = await visitor.post("/w/new", { name: "A", slug: `${next}-${n}`, return_to: away });
      expect(goesTo(stays)).toBe(`303 /w/${next}-${n}`);
    }
  });

  test("is limited per day, even if requested concurrently", async () => {
    const visitor = await arrived();
    const { config } = await app();
    const made = await Promise.all(
      Array.from({ length: config.WORKSPACES_PER_DAY + 3 }, () =>
        visitor.post("/w/new", { your_name: "A", name: "A", slug: slug("many") }),
      ),
    );
    expect(made.filter(({ status }) => status === 303)).toHaveLength(config.WORKSPACES_PER_DAY);
    expect(made.filter(({ status }) => status === 429)).toHaveLength(3);
  });
});

test("links, codes and invites are never in Postgres, Redis or the log in plain text", async () => {
  const { config } = await app();
  const own = { ...config, REDIS_PREFIX: `${config.REDIS_PREFIX}_secrets` };
  const web = await startProcess("web", own, { LOG_LEVEL: "trace" });
  const jobs = await startProcess("worker", own, { LOG_LEVEL: "trace" });
  const redis = new Redis(config.REDIS_URL);
  try {
    mailbox.answers(451);
    const email = someone();
    const visitor = new Browser(web.url);
    const invite = "an-invite-to-go-on-to";
    await visitor.post("/sign-in", { email, return_to: `/invite?token=${invite}` });
    const mail = await mailbox.latest(email);
    const token = linkIn(mail).searchParams.get("token")!;
    await visitor.get(`/sign-in/link?token=${token}`);
    const before = [await dumpPostgres(), await dumpRedis(redis, own.REDIS_PREFIX)];
    await pressLink(visitor, linkIn(mail));
    const cookie = [...visitor.cookies.values()][0]!;
    const seen = [
      ...before,
      await dumpPostgres(),
      await dumpRedis(redis, own.REDIS_PREFIX),
      web.output(),
      jobs.output(),
    ];
    expect(web.output()).toContain("/sign-in/link");
    expect(jobs.output()).toContain("send-email");
    for (const text of seen) {
      for (const secret of [token, codeIn(mail), cookie, invite]) expect(text.includes(secret)).toBe(false);
    }
    for (const log of [web.output(), jobs.output()]) expect(log.includes(email)).toBe(false);
  } finally {
    redis.disconnect();
    await web.kill();
    await jobs.kill();
  }
});

async function dumpPostgres(): Promise<string> {
  const dumps = await Promise.all(
    ["sign_in", "mail", "session", "outbox", "reaction", "event", "app_user"].map((table) =>
      sql<{ row: string }>(`select t::text as row from ${table} t`),
    ),
  );
  return dumps.flatMap((rows) => rows.map(({ row }) => row)).join("\n");
}

async function dumpRedis(redis: Redis, prefix: string): Promise<string> {
  const keys = await redis.keys(`${prefix}:*`);
  const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return keys.concat(dumps.map((dump) => dump?.toString("latin1") ?? "")).join("\n");
}
