import { expect, test } from "vitest";
import { app, configure } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { startMailbox } from "../support/mailbox.ts";

/**
 * An IPv6 /64 is limited like an IPv4 address. Anyone can get a /48, so its 65,536 networks are also limited
 * together.
 */

await startMailbox();
configure({
  TRUSTED_PROXIES: "1",
  SIGN_INS_PER_MINUTE: "3",
  BAD_CREDENTIALS_PER_MINUTE: "3",
  ANONYMOUS_READS_PER_MINUTE: "3",
});

const from = (address: string) => ({ "x-forwarded-for": address });
const { baseUrl } = await app();

let counter = 0;
const operator = { authorization: `Basic ${Buffer.from("operator:wrong").toString("base64")}` };
const limited: [what: string, send: (address: string) => Promise<{ status: number }>][] = [
  [
    "asking for sign-in mails",
    (address) => new Browser(baseUrl).post("/sign-in", { email: `n${++counter}@many.test` }, from(address)),
  ],
  ["reading forms", (address) => fetch(`${baseUrl}/f/none`, { headers: from(address) })],
  [
    "calls with a bad key",
    (address) => fetch(`${baseUrl}/v1/me`, { headers: { ...from(address), authorization: "Bearer wk_wrong" } }),
  ],
  [
    "messages of commit hooks that do not exist",
    (address) => fetch(`${baseUrl}/hooks/commits/none`, { method: "POST", headers: from(address) }),
  ],
  [
    "registering OAuth clients",
    (address) => fetch(`${baseUrl}/api/oauth/register`, { method: "POST", headers: from(address) }),
  ],
];

/** A /48 that no other test uses: some of these share a limit. */
const newNetwork = () => `2001:db8:${(++counter).toString(16)}`;

test.each(limited)("%s is limited by network, whatever address of it is used", async (_, send) => {
  const [narrow, network] = [[] as number[], newNetwork()];
  for (let n = 0; n < 21; n++) narrow.push((await send(`${network}:1::${n}`)).status);
  expect(narrow.slice(0, 3)).not.toContain(429);
  expect(narrow[20]).toBe(429);
  // Another network of the same /48 is not stopped by that one.
  expect((await send(`${network}:2::1`)).status).not.toBe(429);
});

test.each(limited)("%s is limited for all networks of a /48 together", async (_, send) => {
  const [wide, network] = [[] as number[], newNetwork()];
  for (let n = 0; n < 201; n++) {
    const { status } = await send(`${network}:${n.toString(16)}::1`);
    wide.push(status);
    if (status === 429) break;
  }
  expect(wide.length).toBeGreaterThan(30);
  expect(wide.at(-1)).toBe(429);
  expect((await send(`${newNetwork()}:1::1`)).status).not.toBe(429);
});

test("guesses at the operator's password count for a whole /48", async () => {
  const guess = (address: string) => fetch(`${baseUrl}/metrics`, { headers: { ...from(address), ...operator } });
  const [statuses, network] = [[] as number[], newNetwork()];
  for (let n = 0; n < 5; n++) statuses.push((await guess(`${network}:${n}::1`)).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect((await guess(`${newNetwork()}:1::1`)).status).toBe(401);
});
