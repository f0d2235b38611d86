import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DevFile, readDevFile, writeDevFile } from "./dev-file.ts";
import type { Identity } from "./identity.ts";
import { readableLine } from "./log-lines.ts";
import { whenNpmEnds } from "./parent.ts";
import { freePort, isFree } from "./ports.ts";
import { startPostgres } from "./postgres.ts";
import { openProcesses, type Program } from "./processes.ts";
import { startRedis } from "./redis.ts";
import { type Claim, claim, FINISH_MS } from "./run-file.ts";
import {
  type Cards,
  environmentOf,
  type Mailbox,
  PROJECT_FOLDER,
  readSecrets,
  readSettings,
  type Settings,
} from "./settings.ts";
import { StartupError } from "./startup-error.ts";
import { welcome } from "./welcome.ts";

/** `npm run dev`: the whole service on one machine, with its own Postgres and Redis. */

const READY_WITHIN_MS = 60_000;

const say = (line: string) => console.log(line);
const processes = openProcesses(say, changed);
let claimed: Claim | undefined;
let published: { folder: string; file: Partial<DevFile> } | undefined;
let stopCards: (() => Promise<void>) | undefined;
let stopMailbox: (() => Promise<void>) | undefined;
let stopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(0));
process.on("uncaughtException", fail);
whenNpmEnds(() => stop(0));
// The reader of the output has gone, so the stack stops.
process.stdout.on("error", () => stop(0));

async function run() {
  const began = performance.now();
  if (Number.parseInt(process.versions.node, 10) < 24) throw new StartupError(nodeHint());
  const settings = readSettings(process.env);
  const { folder } = settings;
  const secrets = readSecrets(process.env, folder);
  enableCompileCache(join(folder, "cache"));
  claimed = await claim(folder, say);
  if (!(await isFree(settings.port, settings.host))) throw new StartupError(portHint(settings.port));

  if (!settings.isLocal) say(openHint(settings));
  const known = readDevFile(folder);
  published = {
    folder,
    file: { ...known, base_url: settings.baseUrl },
  };
  // Loaded while the servers start.
  const loading = import("./demo.ts");
  loading.catch(() => {});

  if (!settings.databaseUrl || !settings.redisUrl) say("Starting the servers.");
  const servers = await startServers(settings, known);
  publish({ database_url: servers.databaseUrl, redis_url: servers.redisUrl });
  const cards = process.env.STRIPE_SECRET_KEY ? null : await startCards(settings, known);
  publish({ card_processor_url: cards?.url ?? null });
  const mailbox = process.env.SMTP_URL ? null : await startMailbox(settings);
  publish({ mailbox_url: mailbox && `${settings.baseUrl}/dev/mailbox` });
  const env = environmentOf(process.env, settings, secrets, servers, cards, mailbox);
  await processes.run(node("migrate", env));
  const { seedDemo } = await loading;
  publish(
    await seedDemo({
      ...servers,
      baseUrl: settings.baseUrl,
      secretKey: secrets.secretKey,
      known: known?.api_key ? { api_key: known.api_key } : undefined,
    }),
  );

  const ready = new AbortController();
  await Promise.all([
    processes.start(node("web", env), (signal) => isReady(settings, signal).then(() => ready.abort())),
    // A worker has no port to probe. If it ends before web is ready, a restart would not help.
    processes.start(
      node("worker", env),
      () => new Promise((resolve) => ready.signal.addEventListener("abort", resolve)),
    ),
  ]);
  say(welcome(published.file as DevFile, secrets.operatorPassword, folder, (performance.now() - began) / 1000));
}

async function startServers({ folder, databaseUrl, redisUrl }: Settings, known: DevFile | undefined) {
  const options = { folder, durable: true, say };
  const [postgres, redis] = await Promise.all([
    databaseUrl ?? freePort(portOf(known?.database_url)).then((port) => startPostgres(processes, { ...options, port })),
    redisUrl ?? freePort(portOf(known?.redis_url)).then((port) => startRedis(processes, { ...options, port })),
  ]);
  return { databaseUrl: postgres, redisUrl: redis };
}

/** Emulates the card processor: charges test tokens, signs its notifications, and keeps its state over a restart. */
async function startCards({ folder, baseUrl }: Settings, known: DevFile | undefined): Promise<Cards> {
  const { startStripeEmulator } = await import("./stripe-emulator/start.ts");
  const webhookSecret = "whsec_development";
  const emulator = await startStripeEmulator({
    port: await freePort(portOf(known?.card_processor_url ?? undefined)),
    webhookUrl: `${baseUrl}/api/webhooks/stripe`,
    webhookSecret,
    processingMs: 5_000,
    stateFile: join(folder, "card-processor.json"),
  });
  stopCards = emulator.stop;
  return { url: emulator.url, webhookSecret };
}

/** Captures all mail for web to show. */
async function startMailbox({ folder }: Settings): Promise<Mailbox> {
  const [{ startMailServer }, { openMailFolder }] = await Promise.all([
    import("./mailbox/mail-server.ts"),
    import("./mailbox/mail-folder.ts"),
  ]);
  const mails = openMailFolder(join(folder, "mailbox"));
  const server = await startMailServer(mails.keep);
  stopMailbox = server.stop;
  return { url: server.url, folder: mails.path };
}

const portOf = (url: string | undefined) => Number((url && URL.parse(url)?.port) || 0);

const node = (name: "migrate" | "web" | "worker", env: NodeJS.ProcessEnv): Program => ({
  name,
  command: process.execPath,
  args: [join(PROJECT_FOLDER, "src", `${name}.ts`)],
  cwd: PROJECT_FOLDER,
  env,
  output: (line) => say(readableLine(name, line)),
  patienceMs: FINISH_MS,
});

async function isReady({ host, port }: Settings, signal: AbortSignal) {
  const address = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const deadline = AbortSignal.timeout(READY_WITHIN_MS);
  for (;;) {
    if (signal.aborted) return;
    if (deadline.aborted) throw new StartupError(`web is not ready after ${READY_WITHIN_MS / 1000} s.`);
    const limits = AbortSignal.any([signal, AbortSignal.timeout(5_000)]);
    const reply = await fetch(`http://${address}:${port}/readyz`, { signal: limits }).catch(() => undefined);
    await reply?.body?.cancel();
    if (reply?.status === 200) return;
    await sleep(50);
  }
}

/** Keeps both files up to date: run.json for the next start, dev.json for other programs. */
function changed(running: Record<string, Identity>) {
  claimed?.record(running);
  const pid = (name: string) => running[name]?.pid ?? null;
  publish({
    pids: {
      dev: process.pid,
      web: pid("web"),
      worker: pid("worker"),
      postgres: pid("postgres"),
      redis: pid("redis"),
    },
  });
}

function publish(news: Partial<DevFile>) {
  if (!published) return;
  published.file = { ...published.file, ...news };
  // Without a workspace the file would be useless to its readers.
  if (published.file.api_key) writeDevFile(published.folder, published.file as DevFile);
}

function fail(error: unknown) {
  if (stopping) return;
  console.error(`\n${explain(error)}\n`);
  stop(1);
}

function explain(error: unknown) {
  if (error instanceof StartupError) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code !== "EACCES" && code !== "EPERM") return stack ?? String(error);
  return `${message}\nThe data folder was used by another account before, such as root. Choose another one with DATA_DIR.`;
}

async function stop(code: number) {
  if (stopping) return;
  stopping = true;
  if (published) say("Stopping.");
  await processes.stopAll();
  await stopCards?.();
  await stopMailbox?.();
  publish({ pids: { dev: null, web: null, worker: null, postgres: null, redis: null } });
  claimed?.release();
  process.exit(code);
}

const nodeHint = () =>
  `This needs Node 24; ${process.execPath} is ${process.version}.\n` +
  "Start it with `npm run dev`: npm ci brings its own Node 24, unless optional packages are left out.";

const openHint = ({ host, port }: Settings) =>
  `HOST=${host}: everyone who can reach port ${port} can read all mail and sign in as anyone.`;

const portHint = (port: number) =>
  `Port ${port} is in use. Stop what listens there, or choose another one: PORT=${port + 1} npm run dev\n` +
  `(a second copy beside a running one: DATA_DIR=.data-2 PORT=${port + 1} npm run dev)`;

await run().catch(fail);
