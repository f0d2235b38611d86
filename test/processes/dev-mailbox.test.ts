import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { openMailFolder } from "../../src/dev/mailbox/mail-folder.ts";
import { startMailServer } from "../../src/dev/mailbox/mail-server.ts";
import { app, configure } from "../support/app.ts";

/** The development stack catches mail, and web shows it. */

const folder = mkdtempSync(join(tmpdir(), "muster-mailbox-"));
configure({ MAILBOX_FOLDER: join(folder, "mail") });
const mails = openMailFolder(join(folder, "mail"), 3);
const server = await startMailServer(mails.keep);
const transport = createTransport(server.url);
afterAll(async () => {
  transport.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const name of readdirSync(mails.path)) rmSync(join(mails.path, name));
});

const send = (to: string, subject = "Hello", text = "Sign in:\nhttps://muster.test/x?token=1&y=2\n\n012345\n") =>
  transport.sendMail({ from: "no-reply@muster.test", to, subject, text, html: `<b style="color:red">${subject}</b>` });

async function get(path: string, headers: Record<string, string> = {}) {
  const { baseUrl } = await app();
  const reply = await fetch(baseUrl + path, { headers });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}
const JSON_ONLY = { accept: "application/json" };
const listed = async (query = "") => JSON.parse((await get(`/dev/mailbox${query}`, JSON_ONLY)).text).data;

test("programs read mail with its links and code, newest first, and of one address", async () => {
  await send("ada@people.test", "first");
  await send("bob@people.test", "second");
  const [newest, oldest] = await listed();
  expect([newest.subject, oldest.subject]).toEqual(["second", "first"]);
  expect(oldest).toEqual({
    id: expect.any(String),
    message_id: expect.any(String),
    to: "ada@people.test",
    from: "no-reply@muster.test",
    subject: "first",
    text: expect.stringContaining("Sign in:"),
    html: expect.stringContaining("first</b>"),
    links: ["https://muster.test/x?token=1&y=2"],
    code: "012345",
    unsubscribe: null,
    received_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect((await listed("?to=ADA@people.test")).map(({ subject }: { subject: string }) => subject)).toEqual(["first"]);
  expect(await listed("?to=nobody@people.test")).toEqual([]);
});

test("people see a list and messages, with clickable links and no scripts", async () => {
  expect((await get("/dev/mailbox", { accept: "text/html" })).text).toContain("There is no mail yet");
  await send("ada@people.test", "<script>alert(1)</script>");
  const [{ id }] = await listed();
  const list = await get("/dev/mailbox", { accept: "text/html" });
  expect(list.text).toContain(`href="/dev/mailbox/${id}"`);
  expect(list.text).not.toContain("<script>");
  const message = await get(`/dev/mailbox/${id}`);
  expect(message.text).toMatch(/<a href="https:[^"]+token[^"]+">/);
  const shown = await get(`/dev/mailbox/${id}/html`);
  expect(shown.headers.get("content-security-policy")).toContain("sandbox");
});

test("the newest are kept, in files that only their owner can read", async () => {
  for (const subject of ["1", "2", "3", "4"]) await send("ada@people.test", subject);
  expect((await listed()).map(({ subject }: { subject: string }) => subject)).toEqual(["4", "3", "2"]);
  for (const name of readdirSync(mails.path)) expect(statSync(join(mails.path, name)).mode & 0o077).toBe(0);
  expect(statSync(mails.path).mode & 0o077).toBe(0);
});

test.each(["/dev/mailbox/nonsense", "/dev/mailbox/..%2f..%2fetc%2fpasswd", `/dev/mailbox/${"0".repeat(32)}`])(
  "there is nothing at %s",
  async (path) => {
    expect((await get(path)).status).toBe(404);
    expect((await get(`${path}/html`)).status).toBe(404);
  },
);

test("scripts of other sites read nothing", async () => {
  await send("ada@people.test");
  const reply = await get("/dev/mailbox", { ...JSON_ONLY, origin: "https://evil.test" });
  expect(reply.status).toBe(404);
  expect(reply.text).not.toContain("ada@people.test");
});

test("production refuses a mailbox", () => {
  const SECRET_KEY = Buffer.alloc(32, 1).toString("base64");
  const env = { NODE_ENV: "production", BASE_URL: "https://muster.test", SECRET_KEY };
  expect(() => readConfig({ ...env, MAILBOX_FOLDER: "/tmp/mail" })).toThrow(/MAILBOX_FOLDER: not in production/);
  expect(() => readConfig({ ...env, SMTP_URL: "https://mail.test" })).toThrow(/SMTP_URL/);
  expect(() => readConfig({ ...env, MAIL_FROM: "nobody" })).toThrow(/MAIL_FROM/);
  expect(readConfig(env).MAIL_FROM).toBe("Muster <no-reply@muster.test>");
});
