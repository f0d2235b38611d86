import { afterAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { type Process, startProcess } from "../support/process.ts";
import { world } from "../support/world.ts";

let web: Process | undefined;
afterAll(() => web?.kill());

test("no e-mail address of a path, a query or a fault enters the log or the metrics", async () => {
  const here = await world();
  const { config } = await app();
  web = await startProcess("web", config, { LOG_LEVEL: "debug", OPERATOR_PASSWORD: "operator-password" });
  const { slug } = here.workspace;
  const email = `ada@${slug}.test`;
  const w = `/v1/workspaces/${slug}`;
  const spelled = [email, encodeURIComponent(email), email.replace("@", "%2540"), `"ada x"@${slug}.test`];
  const paths = spelled.flatMap((one) => [
    `${w}/members/${one}`,
    `${w}/projects/WEB/issues?assignee=${one}`,
    `${w}/projects/WEB/members/${one}`,
    `/api${w}/members/${one}`,
    `/w/${slug}/members/${one}`,
    `/w/${one}`,
    `/sign-in?email=${one}`,
    `/people/${one}`,
    `/problems/${one}`,
  ]);
  const headers = { authorization: `Bearer ${here.owner.key}`, "content-type": "application/json" };
  for (const path of paths) {
    for (const method of ["GET", "DELETE"]) await fetch(web.url + path, { method, headers, redirect: "manual" });
  }
  // Postgres quotes the row that it does not take.
  await here.sql(`alter table invite add constraint broken check (email not like 'broken%')`);
  const body = JSON.stringify({ email: `broken-${email}`, role: "viewer" });
  const failed = await fetch(`${web.url}${w}/invites`, { method: "POST", headers, body });
  expect(failed.status).toBe(500);

  const operator = { authorization: `Basic ${Buffer.from("operator:operator-password").toString("base64")}` };
  const metrics = await (await fetch(`${web.url}/metrics`, { headers: operator })).text();
  const log = web.output();
  expect(log).toContain("a call failed");
  expect(log).toContain(`"constraint":"broken"`);
  expect(log).toContain(`"path":"${w}/members/…"`);
  expect(log).toContain(`"path":"${w}/projects/WEB/issues"`);
  expect(metrics).toContain('operation="members.delete"');
  for (const text of [log, metrics]) {
    expect(text).not.toContain(`${slug}.test`);
    expect(text).not.toContain("assignee=");
  }
});
