import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { browser } from "./browser.ts";
import type { World } from "./world.ts";

/** Forges that report to a commit hook. */

export type Hook = { url: string; secret: string };

/** Creates a hook on the developer page, like an admin. */
export async function hookOf({ app, workspace, owner }: World): Promise<Hook> {
  const visitor = await browser(app, owner.userId);
  const { status, text } = await visitor.post(`/w/${workspace.slug}/developer/commit-hook`);
  expect(status).toBe(200);
  const [url, secret] = [...text.matchAll(/<code class="secret">([^<]+)<\/code>/g)].map(([, shown]) =>
    shown!.replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, code) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    ),
  );
  return { url: url!.replace("https://muster.test", app.baseUrl), secret: secret! };
}

type Sent = { status: number; body: { data: { linked: number; released: number }; code: string } };

export async function send({ url }: Hook, payload: unknown, headers: Record<string, string>): Promise<Sent> {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  return { status: response.status, body: (await response.json()) as Sent["body"] };
}

export const signature = ({ secret }: Hook, payload: unknown) => {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  return { "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
};
export const github = (hook: Hook, payload: unknown, event = "push") =>
  send(hook, payload, { "x-github-event": event, ...signature(hook, payload) });
export const gitlab = (hook: Hook, payload: unknown, event = "Push Hook") =>
  send(hook, payload, { "x-gitlab-event": event, "x-gitlab-token": hook.secret });

export const sha = (n: number) => n.toString(16).padStart(40, "0");
export const push = (...messages: string[]) => ({
  ref: "refs/heads/feature/login",
  repository: { full_name: "acme/web" },
  commits: messages.map((message, n) => ({
    id: sha(n + 1),
    message,
    url: `https://git.test/acme/web/commit/${sha(n + 1)}`,
    author: { name: "Ann Author", email: "ann@x.test" },
    timestamp: "2026-03-01T10:00:00+02:00",
  })),
});
