import { expect, test } from "vitest";
import { deviceOf } from "../../src/api/pages/people/device.ts";
import { openSession } from "../../src/domain/access/sign-in/sessions.ts";
import { systemNow } from "../support/acting.ts";
import { type App, app } from "../support/app.ts";
import { Browser, browser } from "../support/browser.ts";
import { leastCpu } from "../support/least.ts";
import { world } from "../support/world.ts";

/** A person sees where they are signed in, and ends single sessions. */

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
const LAPTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function signedIn(running: App, userId: string, address: string, userAgent: string) {
  const { id, cookie } = await openSession(systemNow(running), userId, { address, userAgent });
  const visitor = new Browser(running.baseUrl);
  visitor.cookies.set("__Host-muster_session", cookie);
  return { id, visitor };
}

const isIn = async (visitor: Browser) => (await visitor.get("/account")).status === 200;

test("the account page shows each session with its device, times and part of its address", async () => {
  const { app: running, owner, other } = await world();
  const phone = await signedIn(running, owner.userId, "203.0.113.77", PHONE);
  const laptop = await signedIn(running, owner.userId, "2001:db8:1:2:3:4:5:6", LAPTOP);
  const stranger = await other();
  await signedIn(running, stranger.owner.userId, "198.51.100.1", PHONE);
  const { text } = await laptop.visitor.get("/account");
  expect(text).toContain("Safari on iOS");
  expect(text).toMatch(/<strong>Firefox on Linux<\/strong> <span class="badge good">this browser/);
  expect(text).toContain("from 203.0.113.x");
  expect(text).toContain("from 2001:db8:1::");
  expect(text.match(/>this browser</g)).toHaveLength(1);
  for (const hidden of ["203.0.113.77", "2001:db8:1:2", "198.51.100"]) expect(text).not.toContain(hidden);
  expect(text.replaceAll("&#x2F;", "/")).toContain(`action="/account/sessions/${phone.id}/end"`);
});

test("ending a session signs that browser out, and no other", async () => {
  const { app: running, owner } = await world();
  const lost = await signedIn(running, owner.userId, "203.0.113.77", PHONE);
  const kept = await signedIn(running, owner.userId, "203.0.113.78", PHONE);
  const visitor = await browser(running, owner.userId);
  const path = `/account/sessions/${lost.id}/end`;
  expect((await visitor.follow(await visitor.post(path))).text).toContain("The session is ended");
  expect([await isIn(lost.visitor), await isIn(kept.visitor), await isIn(visitor)]).toEqual([false, true, true]);
  expect((await visitor.follow(await visitor.post(path))).text).toContain("had ended already");

  const own = await kept.visitor.post(`/account/sessions/${kept.id}/end`);
  expect(own.headers.get("location")).toBe("/sign-in");
  expect(kept.visitor.cookies.has("__Host-muster_session")).toBe(false);
  expect(await isIn(visitor)).toBe(true);
});

test("nobody ends the sessions of others", async () => {
  const { app: running, owner, other } = await world();
  const theirs = await signedIn(running, (await other()).owner.userId, "203.0.113.77", PHONE);
  const visitor = await browser(running, owner.userId);
  const path = `/account/sessions/${theirs.id}/end`;
  await visitor.post(path);
  await (await browser(running)).post(path);
  await theirs.visitor.post(path, {}, { origin: "https://evil.test" });
  expect(await isIn(theirs.visitor)).toBe(true);
  expect((await visitor.post("/account/sessions/x/end")).status).toBe(404);
});

test("any text may be sent as the device", async () => {
  const { baseUrl } = await app();
  expect(baseUrl).toBeTruthy();
  expect(deviceOf("")).toBe("Unknown device");
  expect(deviceOf("curl/8.5.0")).not.toContain("undefined");
  for (const text of ["(".repeat(300), "Version/".repeat(37), " ".repeat(300), "0".repeat(300), "Chrome/".repeat(42)]) {
    expect(leastCpu(() => expect(deviceOf(text)).toBeTypeOf("string"))).toBeLessThan(50);
  }
});
