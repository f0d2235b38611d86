import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../src/cli/run.ts";
import { type App, app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { inheritedEnv } from "../support/compiled.ts";
import { type World, world } from "../support/world.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

let running: App;
let folder: string;
beforeAll(async () => {
  running = await app();
  folder = mkdtempSync(join(tmpdir(), "muster-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Run = { code: number; out: string; err: string };

/** Runs the command line as a process of its own. */
function cli(args: string[], env: Record<string, string | undefined> = installation()): Promise<Run> {
  return new Promise((done) => {
    const options = { env: { ...inheritedEnv(), HOME: process.env.HOME, DATA_DIR: folder, ...env }, timeout: 20_000 };
    execFile(process.execPath, [MAIN, ...args], options, (error, out, err) =>
      // A process that was killed has no exit code.
      done({ code: error ? Number(error.code ?? Number.NaN) : 0, out, err }),
    );
  });
}

const installation = () => {
  const { DATABASE_URL, REDIS_URL, REDIS_PREFIX } = running.config;
  return { DATABASE_URL, REDIS_URL, REDIS_PREFIX };
};

/** As the process does, without the second that it takes to start. */
const here = (args: string[]) => runCommand([...args, "--json"], { DATA_DIR: folder, ...installation() });

/** Runs a command that must succeed. Returns its JSON output. */
async function done(...args: string[]) {
  const { code, out, err } = await here(args);
  expect({ code, err }, out).toEqual({ code: 0, err: "" });
  expect(out.trimEnd().split("\n")).toHaveLength(1);
  return JSON.parse(out);
}

/** Runs a command that must fail. Returns its error output. */
async function refused(code: 1 | 2, ...args: string[]): Promise<string> {
  const run = await here(args);
  expect(run).toMatchObject({ code, err: "" });
  const { error } = JSON.parse(run.out);
  expect(error).toEqual({ code: code === 2 ? "usage" : "failure", message: expect.not.stringContaining("    at ") });
  return error.message;
}

let counter = 0;
const fresh = () => `cli-${++counter}`;

const as = (slug: string, key: string) =>
  new Client(running.baseUrl, { W: `/v1/workspaces/${slug}` }, { key, userId: "", email: "" });

test("a process prints the command's output and exits with its code", async () => {
  const slug = fresh();
  const made = await cli(["workspace", "create", "--slug", slug, "--name", "X", "--owner", `o@${slug}.test`, "--json"]);
  expect({ ...made, out: JSON.parse(made.out) }).toMatchObject({ code: 0, err: "", out: { workspace: { slug } } });
  expect(await cli(["workspace", "set-plan", slug, "--json"])).toEqual({
    code: 2,
    err: "",
    out: '{"error":{"code":"usage","message":"--plan is required."}}\n',
  });
});

describe("from nothing to a first call", () => {
  test("a workspace, a member and keys that work", async () => {
    const slug = fresh();
    const owner = `Owner@${slug}.test`;
    const made = await done(
      "workspace",
      "create",
      "--slug",
      slug,
      "--name",
      "Acme & Co",
      "--owner",
      owner,
      "--plan",
      "pro",
    );
    expect(made).toMatchObject({ workspace: { slug, plan: "pro" }, owner: { email: owner } });

    const { key } = await done(
      "key",
      "create",
      "--workspace",
      slug,
      "--user",
      owner.toLowerCase(),
      "--scopes",
      "admin",
      "--rate-limit",
      "50",
    );
    expect(key).toMatchObject({
      kind: "workspace",
      scopes: ["admin"],
      rate_limit_per_minute: 50,
      created_by: made.owner.id,
    });
    const { data: me } = await as(slug, key.plaintext).get("/v1/me").expect(200);
    expect(me).toMatchObject({
      workspaceSlug: slug,
      role: "owner",
      rateLimitPerMinute: 50,
      workspace: { plan: "pro" },
    });

    const { user } = await done("user", "create", "--email", `dev@${slug}.test`, "--name", "Dev");
    const { member } = await done(
      "member",
      "add",
      "--workspace",
      slug,
      "--email",
      `dev@${slug}.test`,
      "--role",
      "viewer",
    );
    expect(member).toMatchObject({ user_id: user.id, role: "viewer", name: "Dev" });
    const personal = await done(
      ...[
        "key",
        "create",
        "--workspace",
        slug,
        "--user",
        user.id,
        "--kind",
        "personal",
        "--scopes",
        "read,comments:write",
        "--name",
        "Laptop",
      ],
    );
    expect(personal.key).toMatchObject({ kind: "personal", name: "Laptop", plaintext: expect.stringMatching(/^pat_/) });
    const { data: dev } = await as(slug, personal.key.plaintext).get("/v1/me").expect(200);
    expect(dev).toMatchObject({ kind: "personal", role: "viewer", user: { name: "Dev" } });

    const { data: list } = await as(slug, key.plaintext).get("W/api-keys").expect(200);
    expect(list.map((one: { id: string }) => one.id)).toEqual([personal.key.id, key.id]);
  });

  test("for people it prints sentences", async () => {
    const slug = fresh();
    const { code, out } = await cli([
      "workspace",
      "create",
      `--slug=${slug}`,
      "--name",
      "Acme",
      "--owner",
      `o@${slug}.test`,
    ]);
    expect(code).toBe(0);
    expect(out).toContain(`Created the workspace ${slug} on the plan business`);
    const key = await cli(["key", "create", "--workspace", slug, "--user", `o@${slug}.test`, "--scopes", "read"]);
    expect(key.out).toMatch(/^wk_[0-9A-Za-z]{49}\n/);
  });

  test("a taken slug, a stranger and scopes beyond a role are refused", async () => {
    const here = await world();
    const viewer = await here.as({ role: "viewer" });
    const { slug } = here.workspace;
    const create = ["workspace", "create", "--slug", slug, "--name", "Again", "--owner", "x@example.test"];
    expect(await refused(1, ...create)).toContain(slug);
    expect(
      await refused(1, "key", "create", "--workspace", "nowhere", "--user", "a@b.test", "--scopes", "read"),
    ).toContain("nowhere");
    expect(await refused(1, "key", "create", "--workspace", slug, "--user", "a@b.test", "--scopes", "read")).toContain(
      "a@b.test",
    );
    const stronger = ["key", "create", "--workspace", slug, "--user", viewer.email, "--scopes", "read,admin"];
    expect(await refused(1, ...stronger)).toContain("admin");
  });
});

describe("plans", () => {
  test("a workspace changes its plan, by position or by name", async () => {
    const here = await world({ plan: "free" });
    const { slug } = here.workspace;
    expect(await done("workspace", "set-plan", slug, "pro")).toMatchObject({ workspace: { slug, plan: "pro" } });
    await done("workspace", "set-plan", "--plan", "business", slug);
    await done("workspace", "set-plan", "--workspace", slug, "--plan", "business");
    const { data: me } = await here.owner.get("/v1/me").expect(200);
    expect(me.workspace.plan).toBe("business");
    const events = await here.sql(
      `select previous, changed from event where workspace_id = $1 and type = 'workspace.updated' order by id`,
      [here.workspace.id],
    );
    expect(events).toEqual([
      { previous: { plan: "free" }, changed: ["plan"] },
      { previous: { plan: "pro" }, changed: ["plan"] },
    ]);
  });

  test("an unknown plan and a third argument are refused", async () => {
    const { workspace } = await world();
    expect(await refused(2, "workspace", "set-plan", workspace.slug, "gold")).toContain("--plan");
    expect(await refused(2, "workspace", "set-plan", workspace.slug, "pro", "now")).toContain("now");
    expect(await refused(1, "workspace", "set-plan", "nowhere", "pro")).toContain("nowhere");
  });
});

describe("credits", () => {
  const ledger = ({ sql, workspace }: World) =>
    sql(`select kind, bucket, amount, balance_after, reason from credit_entry where workspace_id = $1 order by id`, [
      workspace.id,
    ]);
  const balance = async ({ sql, workspace }: World) => {
    const [account] = await sql(`select topup_balance from credit_account where workspace_id = $1`, [workspace.id]);
    return account?.topup_balance;
  };

  test("are added and removed, with a ledger line for each", async () => {
    const here = await world();
    const adjust = (amount: string) => [
      "credits",
      "adjust",
      "--workspace",
      here.workspace.slug,
      "--amount",
      amount,
      "--reason",
      "Goodwill",
    ];
    expect((await done(...adjust("500"))).entry).toMatchObject({ amount: 500, balance_after: 500 });
    expect((await done(...adjust("-120"))).entry).toMatchObject({ amount: -120, balance_after: 380 });
    expect(await refused(1, ...adjust("-381"))).toContain("not that many");
    expect(await ledger(here)).toEqual([
      { kind: "adjust", bucket: "topup", amount: 500, balance_after: 500, reason: "Goodwill" },
      { kind: "adjust", bucket: "topup", amount: -120, balance_after: 380, reason: "Goodwill" },
    ]);
    expect(await balance(here)).toBe(380);
  });

  test("never fall below zero, even if removed concurrently", async () => {
    const here = await world();
    const adjust = (amount: number) =>
      cli(["credits", "adjust", "--workspace", here.workspace.slug, "--amount", String(amount), "--reason", "Test"]);
    await adjust(100);
    const runs = await Promise.all(Array.from({ length: 5 }, () => adjust(-40)));
    expect(runs.map((run) => run.code).sort()).toEqual([0, 0, 1, 1, 1]);
    expect(await balance(here)).toBe(20);
    const balances = (await ledger(here)).map((line) => line.balance_after);
    // Lines of two processes within one millisecond may stand in either order.
    expect(balances.map(Number).sort((a, b) => b - a)).toEqual([100, 60, 20]);
  });

  test.each(["0", "1.5", "many", "99999999999", "10000001"])("%s is not an amount", async (amount) => {
    const { workspace } = await world();
    expect(
      await refused(2, "credits", "adjust", "--workspace", workspace.slug, "--amount", amount, "--reason", "x"),
    ).toContain("--amount");
  });
});

test("a member keeps their role: requesting another one fails", async () => {
  const slug = fresh();
  await done("workspace", "create", "--slug", slug, "--name", "Roles", "--owner", `o@${slug}.test`);
  const add = ["member", "add", "--workspace", slug, "--email", `m@${slug}.test`];
  expect((await done(...add, "--role", "viewer")).member.role).toBe("viewer");
  expect((await done(...add, "--role", "viewer")).member.role).toBe("viewer");
  expect((await done(...add)).member.role).toBe("viewer");
  expect(await refused(1, ...add, "--role", "admin")).toContain(`is viewer of ${slug} already`);
});

test("member add with the role guest succeeds, and again, and is told from a viewer", async () => {
  const slug = fresh();
  await done("workspace", "create", "--slug", slug, "--name", "Guests", "--owner", `o@${slug}.test`);
  const add = ["member", "add", "--workspace", slug, "--email", `g@${slug}.test`];
  for (let n = 0; n < 2; n++)
    expect((await done(...add, "--role", "guest")).member).toMatchObject({ role: "viewer", is_guest: true });
  expect((await done(...add)).member.is_guest).toBe(true);
  expect(await refused(1, ...add, "--role", "viewer")).toContain(`is guest of ${slug} already`);
  const { code, out, err } = await cli([...add, "--role", "guest"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`is guest of ${slug}. A guest sees only the projects`);
});

test("every command explains itself, and refuses a call without options or with an unknown one", async () => {
  const { out: all } = await runCommand(["--help"], {});
  const names = [...all.matchAll(/^ {2}(\w+ [\w-]+) {2}/gm)].map(([, name]) => name!);
  expect(names).toContain("member add");
  for (const name of names) {
    const words = name.split(" ");
    expect(await runCommand([...words, "--help"], {}), name).toMatchObject({ code: 0, err: "" });
    const unknown = await runCommand([...words, "--nonsense", "1"], {});
    expect(unknown, name).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--nonsense") });
    if (name !== "queues status") expect(await refused(2, ...words)).toContain("is required");
    expect(await refused(2, ...words, "one", "two", "three", "four")).toMatch(/Unexpected argument|required|must/);
  }
});

describe("queues", () => {
  test("are listed with their jobs by state", async () => {
    const { queues } = await done("queues", "status");
    expect(queues["deliver-webhook"]).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
    const { out } = await cli(["queues", "status"]);
    expect(out).toMatch(/queue +waiting +active +delayed +failed\n/);
    expect(out).toMatch(/deliver-webhook +0 +0 +0 +0\n/);
  });

  test("an unavailable Redis is reported soon", async () => {
    const { code, err } = await cli(["queues", "status"], { ...installation(), REDIS_URL: "redis://127.0.0.1:1" });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Redis does not answer") });
  });
});

describe("usage", () => {
  test("help lists commands, and a command's options", async () => {
    const all = await cli(["--help"]);
    expect(all).toMatchObject({ code: 0, err: "" });
    expect(all.out).toContain("credits adjust");
    const one = await cli(["workspace", "set-plan", "--help"]);
    expect(one.code).toBe(0);
    expect(one.out).toContain("workspace set-plan <workspace> <plan>");
    expect(one.out).toContain("--plan <free|pro|business>");
  });

  test("without --json mistakes go to the error output, wrong usage with the help for it", async () => {
    const wrong = await cli(["workspace", "set-plan", "acme"]);
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toMatch(/^--plan is required\.\n\nChange a workspace's plan\.\n/);
    const nothing = await cli(["workspace", "set-plan", "nowhere", "pro"]);
    expect(nothing).toEqual({ code: 1, out: "", err: "There is no workspace nowhere.\n" });
    expect((await cli([])).code).toBe(2);
  });

  test.each([
    [["workspace", "crate"], "Did you mean workspace create?"],
    [["workspace", "create", "--slag", "x"], "Did you mean --slug?"],
    [["workspace", "create", "--slug", "x"], "--name is required."],
    [["workspace", "create", "--slug"], "--slug"],
    [["workspace", "create", "--slug", "Not A Slug", "--name", "x", "--owner", "a@b.test"], "--slug"],
    [["user", "create", "--email", "nobody"], "--email"],
    [["key", "create", "--workspace", "x", "--user", "y", "--scopes", "issue:read"], "Did you mean issues:read?"],
    [["key", "create", "--workspace", "x", "--user", "y", "--scopes", ","], "--scopes"],
    [["key", "create", "--workspace", "x", "--user", "y", "--scopes", "read", "--rate-limit", "0"], "--rate-limit"],
    [["queues", "status", "now"], "now"],
  ])("%j is refused with the reason", async (args, part) => {
    expect(await refused(2, ...args)).toContain(part);
  });
});

describe("which installation", () => {
  test("without any, the error says what to do", async () => {
    const { code, err } = await cli(["user", "create", "--email", "a@b.test"], {});
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("npm run dev") });
  });

  test("that of dev.json, if the environment names none", async () => {
    const dev = mkdtempSync(join(folder, "dev-"));
    const { DATABASE_URL, REDIS_URL, REDIS_PREFIX } = installation();
    writeFileSync(
      join(dev, "dev.json"),
      JSON.stringify({ database_url: DATABASE_URL, redis_url: REDIS_URL, base_url: "http://localhost:1" }),
    );
    const { code, out } = await cli(["user", "create", "--email", "Dev@json.test", "--json"], {
      DATA_DIR: dev,
      REDIS_PREFIX,
    });
    expect(code).toBe(0);
    const { sql } = await world();
    expect(await sql(`select id from app_user where email = 'Dev@json.test'`)).toEqual([
      { id: JSON.parse(out).user.id },
    ]);
  });

  test("never stores of two installations", async () => {
    const dev = mkdtempSync(join(folder, "dev-"));
    const { DATABASE_URL, REDIS_URL, REDIS_PREFIX } = installation();
    const file = { database_url: DATABASE_URL, redis_url: REDIS_URL, base_url: "http://localhost:1" };
    writeFileSync(join(dev, "dev.json"), JSON.stringify(file));
    const status = (env: Record<string, string>) => cli(["queues", "status"], { DATA_DIR: dev, REDIS_PREFIX, ...env });
    const other = "postgres://elsewhere.test/muster";
    expect(await status({ DATABASE_URL: other })).toMatchObject({
      code: 1,
      err: expect.stringContaining("DATABASE_URL is set and REDIS_URL is not"),
    });
    expect(await status({ REDIS_URL: "redis://elsewhere.test" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("REDIS_URL is set and DATABASE_URL is not"),
    });
    expect((await status({ DATABASE_URL })).code).toBe(0);
  });

  test("a database that does not answer is distinguished from one that rejects the connection", async () => {
    const away = await cli(["user", "create", "--email", "a@b.test"], {
      ...installation(),
      DATABASE_URL: "postgres://127.0.0.1:1/x",
    });
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining("does not answer") });
    const other = new URL(running.config.DATABASE_URL);
    other.pathname = "/no_such_database";
    const none = await cli(["user", "create", "--email", "a@b.test"], { ...installation(), DATABASE_URL: other.href });
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("rejected the connection") });
  });
});
