import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { EventSource } from "eventsource";
import * as oauth from "oauth4webapi";

/** A small agent. It works on the issues that people assign to it, and asks a question about each. */

const SERVER = new URL(process.env.MUSTER_URL ?? "http://localhost:3000");
const FILE = process.env.AGENT_FILE ?? "agent.json";
const MODEL = "claude-sonnet-5";

type Memory = {
  client_id: string;
  access_token: string;
  refresh_token: string;
  workspace: string;
  since: string;
  heard?: string;
};
type Session = { id: string; state: string; title: string; issue_key: string; started_at: string };
type Message<Data> = { id: string; timestamp: string; data: Data; context: { session_id?: string } };

const options = { [oauth.allowInsecureRequests]: SERVER.protocol === "http:" };
const discovered = await oauth.discoveryRequest(SERVER, { algorithm: "oauth2", ...options });
const server = await oauth.processDiscoveryResponse(SERVER, discovered);
const memory: Memory = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : await connect();
let refreshing: Promise<void> | undefined;
remember({});
listen();

function remember(news: Partial<Memory>) {
  writeFileSync(FILE, JSON.stringify(Object.assign(memory, news)), { mode: 0o600 });
}

/** Registers with the service and waits until a person has approved the agent. */
async function connect(): Promise<Memory> {
  const approval = Promise.withResolvers<URL>();
  const callback = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    response.end("You can close this window.");
    if (url.pathname === "/callback") approval.resolve(url);
  });
  await new Promise<void>((listening) => callback.listen(0, "127.0.0.1", listening));
  const redirect_uri = `http://127.0.0.1:${(callback.address() as { port: number }).port}/callback`;
  const about = { client_name: "Example agent", redirect_uris: [redirect_uri], scope: "read write" };
  const registered = await oauth.dynamicClientRegistrationRequest(server, about, options);
  const client = await oauth.processDynamicClientRegistrationResponse(registered);
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const asked = {
    ...{ response_type: "code", client_id: client.client_id, redirect_uri, scope: "read write", state },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
  };
  console.log(`Open this address to approve the agent: ${server.authorization_endpoint}?${new URLSearchParams(asked)}`);
  const code = oauth.validateAuthResponse(server, client, await approval.promise, state);
  callback.close();
  const exchanged = await oauth.authorizationCodeGrantRequest(
    ...([server, client, oauth.None(), code, redirect_uri, verifier, options] as const),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
  const { access_token, refresh_token, workspace } = tokens as typeof tokens & Memory;
  return { client_id: client.client_id, access_token, refresh_token, workspace, since: new Date().toISOString() };
}

/** Hears what happens to the agent. An event counts as heard once it is dealt with: after a restart it comes again. */
function listen(): void {
  // Until the first event there is no id to resume after, and the time of the approval counts.
  const source = new EventSource(addressOf(`agent-events?since=${memory.since}`), {
    fetch: (url, init) => request(url, { ...init, headers: { "Last-Event-ID": memory.heard ?? "", ...init.headers } }),
  });
  let last: Promise<unknown> = Promise.resolve();
  const on = <Data>(event: string, handle: (message: Message<Data>) => Promise<unknown>) =>
    source.addEventListener(event, ({ data }) => {
      const message = JSON.parse(data) as Message<Data>;
      last = last.then(() => handle(message)).catch(console.error);
      last = last.then(() => remember({ heard: message.id }));
    });
  on("issue.assigned", begin);
  on("agent_session.input", goOn);
  on<Session>("agent_session.state_changed", async ({ data }) => console.log(`${data.issue_key}: ${data.state}`));
  source.addEventListener("stream.ready", () => console.log(`Listening in ${memory.workspace}`));
  // Sessions that are silent count as stalled. The timer also keeps the process running while the service is away.
  setInterval(async () => {
    const open = await call<Session[]>("GET", "agent-sessions?agent_id=me&state=running").catch(() => []);
    for (const { id } of open) await call("PATCH", `agent-sessions/${id}`, {}).catch(console.error);
  }, 600_000);
}

/** Starts to work on an issue, and asks a question. */
async function begin({ data: issue, timestamp }: Message<{ key: string; title: string }>): Promise<void> {
  const [known] = await call<Session[]>("GET", `agent-sessions?agent_id=me&issue_key=${issue.key}&limit=1`);
  // The event has come again, and the question was asked.
  if (known && known.started_at > timestamp && known.state !== "running") return;
  const { id } = await call<Session>("POST", "agent-sessions", { title: issue.title, issue_key: issue.key });
  await call("PATCH", pathOf(issue.key), { status: "in_progress" });
  await call("PATCH", `agent-sessions/${id}`, { note: "Reading the issue", plan: planAt(0) });
  await call("POST", `agent-sessions/${id}/usage`, { turn_id: "ask", model: MODEL, tokens_in: 1200, tokens_out: 80 });
  const question = { text: `How should I do "${issue.title}"?`, options: ["Quickly", "Thoroughly"] };
  await call("PATCH", `agent-sessions/${id}`, { state: "needs_input", question });
}

/** Continues with a person's answer, and hands over the result for review. */
async function goOn({ data: answer, context }: Message<{ body_md: string }>): Promise<void> {
  const path = `agent-sessions/${context.session_id}`;
  const session = await call<Session>("GET", path);
  if (session.state !== "needs_input" && session.state !== "running") return;
  await call("PATCH", path, { state: "running", note: `The answer was: ${answer.body_md}`, plan: planAt(1) });
  await call("POST", `${path}/usage`, { turn_id: "do", model: MODEL, tokens_in: 5400, tokens_out: 900 });
  const comment = { body_md: "It is done. Please have a look.", session_id: session.id, external_id: session.id };
  await call("POST", `${pathOf(session.issue_key)}/comments`, comment);
  const external_url = `https://git.example/${session.issue_key}`;
  await call("PATCH", path, { state: "review", external_url, summary: `Done: ${session.title}`, plan: planAt(2) });
  await call("PATCH", pathOf(session.issue_key), { status: "in_review" });
}

const STEPS = ["Ask what is meant", "Do it"];
const stateOf = (step: number, at: number) => (step < at ? "completed" : step === at ? "in_progress" : "pending");
/** What people see of the plan while the agent is at one of its steps. */
const planAt = (at: number) => STEPS.map((text, step) => ({ text, status: stateOf(step, at) }));

const pathOf = (key: string) => `projects/${key.split("-")[0]}/issues/${key}`;

/** Calls the API. A call that is repeated counts once, because it has the same key. */
async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const reply = await request(addressOf(path), { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const { data, detail } = (await reply.json()) as { data: Data; detail?: string };
  if (!reply.ok) throw new Error(`${method} ${path}: ${detail}`);
  return data;
}

function addressOf(path: string): string {
  return `${SERVER.origin}/v1/workspaces/${memory.workspace}/${path}`;
}

/** Sends a request with the agent's token, again and again while the service is away or busy. */
async function request(url: string | URL, init: RequestInit): Promise<Response> {
  for (;;) {
    const headers = { ...(init.headers as object), Authorization: `Bearer ${memory.access_token}` };
    const reply = await fetch(url, { ...init, headers }).catch(() => null);
    if (reply?.status === 401) {
      refreshing ??= refresh();
      await refreshing;
    } else if (reply && reply.status !== 429 && reply.status < 500) return reply;
    else await sleep(Number(reply?.headers.get("retry-after") ?? 1) * 1000);
  }
}

/** Gets new tokens. Calls that need them at the same time share them, because a refresh token works once. */
async function refresh(): Promise<void> {
  const [client, { refresh_token }] = [{ client_id: memory.client_id }, memory];
  try {
    const reply = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh_token, options);
    const tokens = await oauth.processRefreshTokenResponse(server, client, reply);
    remember({ access_token: tokens.access_token, refresh_token: tokens.refresh_token ?? refresh_token });
  } catch (error) {
    if (!(error instanceof oauth.ResponseBodyError)) return console.error(error);
    console.error(`The access was ended. Delete ${FILE} to ask for approval again.`);
    process.exit(1);
  } finally {
    refreshing = undefined;
  }
}
