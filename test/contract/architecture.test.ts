import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "@swc/core";
import { cruise, type IForbiddenRuleType, type IReporterOutput } from "dependency-cruiser";
import { afterAll, describe, expect, test } from "vitest";

/** Import rules and file rules of ARCHITECTURE.md. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => `src/${name}`);
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

const packages = (...names: string[]) => `(^|/node_modules/|^node_modules/)(${names.join("|")})(/|$)`;
const HTTP = packages("koa", "@koa/[^/]+", "koa-body", "find-my-way");

const only = (name: string, from: string, ...allowed: string[]): IForbiddenRuleType => ({
  name: `${name} imports only what it may`,
  severity: "error",
  from: { path: from },
  to: { pathNot: allowed },
});
const never = (name: string, from: IForbiddenRuleType["from"], to: string): IForbiddenRuleType => ({
  name,
  severity: "error",
  from,
  to: { path: to },
});

/** Groups of the domain. Each may import those before it. Files next to them combine groups. */
const GROUPS = ["kernel", "events", "access", "tenancy", "work", "knowledge", "automation"];

const IMPORT_RULES: IForbiddenRuleType[] = [
  only(
    "the domain",
    "^src/domain/",
    "^src/domain/",
    // Packages that compute or wait, but do no I/O.
    packages("@mikro-orm/core", "@mikro-orm/postgresql", "kysely", "zod"),
    packages("fastest-levenshtein", "fractional-indexing", "ipaddr.js", "markdown-it", "sanitize-html"),
    packages("any-ascii", "canonicalize", "croner", "escape-html-template-tag", "tweetnacl", "uuid"),
    "^(crypto|stream|timers/promises|url|util|zlib)$",
  ),
  ...GROUPS.map((group, at) =>
    never(
      `domain/${group} imports only the groups below it`,
      { path: `^src/domain/${group}/` },
      `^src/domain/(?!(${[group, ...GROUPS.slice(0, at)].join("|")})/)`,
    ),
  ),
  never(
    "domain/delivery imports only events, the kernel, and the rights of credentials",
    { path: "^src/domain/delivery/" },
    "^src/domain/(?!(delivery|events|kernel|access/identity)/)",
  ),
  only(
    "the api",
    "^src/api/",
    "^src/(api|domain)/",
    "node_modules",
    "^(async_hooks|crypto|diagnostics_channel|fs/promises|module|os|path|stream|url|util|zlib)$",
  ),
  never(
    "the api imports no stores; the queue console shows one of them",
    { path: "^src/api/", pathNot: "^src/api/console/" },
    packages("bullmq", "ioredis", "pg", "kysely", "@mikro-orm/[^/]+", "undici"),
  ),
  never("the engine imports no operations", { path: "^src/api/engine/" }, "^src/api/(?!engine/)"),
  never(
    "HTTP imports the engine, but no pages or operations",
    { path: "^src/api/http/" },
    "^src/api/(?!http/|engine/)",
  ),
  never("the engine imports no HTTP", { path: "^src/api/engine/" }, HTTP),
  only(
    "queues",
    "^src/queues/",
    "^src/queues/",
    "^src/domain/(event-catalogue|events/background|kernel/context|kernel/ports/ports)\\.ts$",
    packages("bullmq", "zod"),
  ),
  only("workers", "^src/workers/", "^src/(workers|queues|domain)/", packages("bullmq", "zod"), "^timers/promises$"),
  never(
    "adapters import only the ports of the domain",
    { path: "^src/adapters/" },
    "^src/(?!adapters/|domain/(kernel/|entities\\.ts$|events/unit-of-work\\.ts$))",
  ),
  never(
    "only the roots import configuration and adapters",
    {
      path: "^src/",
      pathNot:
        "^src/((start-web|start-warnings|start-worker|run-process|migrate|resources|start|config)\\.ts$|(dev|cli|adapters|variables)/)",
    },
    "^src/(config\\.ts$|variables/|adapters/)",
  ),
  never("src imports no tests and no clients", { path: "^src/" }, "^(test|bench|clients)/"),
];

describe("imports", () => {
  test("keep to the rules", async () => {
    const graph = await modulesOf(ROOT, "src", IMPORT_RULES);
    expect(violations(graph)).toEqual([]);
  });

  test("have no cycles; the worker does not load Koa, and the web process loads no worker", async () => {
    // Type imports are gone when Node runs a file, so they are gone here too.
    const folder = withoutTypes();
    const graph = await modulesOf(folder, "src", [
      { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
      {
        name: "the worker imports no Koa",
        severity: "error",
        // Its queues are loaded by name, so their files are named here.
        from: { path: "^src/(worker\\.ts$|workers/)" },
        to: { path: HTTP, reachable: true },
      },
      {
        name: "the web imports no worker",
        severity: "error",
        from: { path: "^src/web\\.ts$" },
        to: { path: "^src/workers?[./]", reachable: true },
      },
    ]);
    expect(violations(graph)).toEqual([]);
  });
});

/** The graph of all modules. A parser that cannot read a file reports nothing, so the files are counted. */
async function modulesOf(baseDir: string, folder: string, forbidden: IForbiddenRuleType[]) {
  const { output } = (await cruise([folder], {
    baseDir,
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
    ruleSet: { forbidden },
    validate: true,
  })) as IReporterOutput & { output: Exclude<IReporterOutput["output"], string> };
  expect(output.modules.filter(({ source }) => /^src\/.*\.ts$/.test(source))).toHaveLength(files.length);
  return output;
}

const violations = ({ summary }: Awaited<ReturnType<typeof modulesOf>>) =>
  summary.violations.map(
    ({ rule, from, to, cycle }) => `${rule.name}: ${from} → ${cycle?.map(({ name }) => name).join(" → ") ?? to}`,
  );

const copies: string[] = [];
afterAll(() => {
  for (const folder of copies) rmSync(folder, { recursive: true, force: true });
});

function withoutTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), "muster-architecture-"));
  copies.push(folder);
  for (const file of files) {
    const { code } = transformSync(textOf(file), {
      jsc: { parser: { syntax: "typescript" }, target: "es2024", transform: { verbatimModuleSyntax: true } },
    });
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  return folder;
}

/** Files that may be longer than 250 lines, each with the reason. */
const LONG: Record<string, string> = {};

/** Exceptions to the rules, with reasons. */
const OUTSIDE = {
  sql: [
    /\.sql\.ts$/,
    /^src\/adapters\//, // the database itself
    /^src\/(dev|cli)\//, // work across all tenants
    /^src\/(migrate|ready)\.ts$/, // run before there are any
  ],
  // Snippets are the programs of others, as texts.
  environment: [/^src\/config\.ts$/, /^src\/(dev|cli)\//, /^src\/api\/pages\/reference\/snippets\.ts$/],
  output: [/^src\/(dev|cli)\//, /^src\/api\/pages\/reference\/snippets\.ts$/],
};

/** Files that claim rows in their own way, each with the reason. */
const CLAIMS = [
  /^src\/domain\/kernel\/leases\.sql\.ts$/,
  /^src\/domain\/delivery\/webhooks\/step\.sql\.ts$/, // one lease for all deliveries of a webhook, in one statement
  /^src\/workers\/events\/relay\.sql\.ts$/, // deletes the rows that it takes
  /^src\/workers\/events\/reactions\.sql\.ts$/, // moves rows of the previous version
  /^src\/adapters\/key-use\.ts$/, // counts uses, and leaves out locked keys
  /^src\/domain\/delivery\/clean-up\/clean-up\.sql\.ts$/, // deletes expired rows
  /^src\/domain\/delivery\/files\/collect\.sql\.ts$/, // ends expired uploads
  /^src\/domain\/tenancy\/credits\/challenges\.sql\.ts$/, // expires unpaid challenges
  /^src\/domain\/knowledge\/search\/old-rows\.sql\.ts$/, // indexes rows in the statement that takes them
  /^src\/domain\/work\/issues\/change-shared\.sql\.ts$/, // leaves changes of locked issues to the calls themselves
  /^src\/domain\/work\/issues\/next-ready\.sql\.ts$/, // locks an issue for one call; a session holds it afterwards
];

const RULES: { name: string; pattern: RegExp; outside?: readonly RegExp[]; only?: RegExp }[] = [
  {
    name: "raw SQL is only in *.sql.ts",
    // A page's call has a query, too: that of its URL.
    pattern:
      /(?<!\bcall)\.query(<[^(]*>)?\(|[`"]\s*(select\s[^`"]*\bfrom\b|insert into\s|update \w+( \w+)? set\s|delete from\s)/,
    outside: OUTSIDE.sql,
  },
  {
    name: "only src/config.ts reads the environment",
    pattern: /process\.env|import\.meta\.env/,
    outside: OUTSIDE.environment,
  },
  {
    name: "the domain reads no clock, except to share the event loop",
    pattern: /Date\.now\(|new Date\(\)|performance\.now/,
    only: /^src\/domain\//,
    outside: [/^src\/domain\/kernel\/let-others-run\.ts$/],
  },
  {
    name: "nothing prints",
    pattern: /\bconsole\.(log|error|warn|info|debug|trace|table|dir)\(/,
    outside: OUTSIDE.output,
  },
  {
    name: "names say what a thing does",
    pattern: /\b(class|function|const|let|type|interface) +\w*(Service|Manager|Helper|Util)s?\b/i,
  },
  {
    name: "columns are null, never undefined: .strictNullable()",
    pattern: /\.nullable\(\)/,
    only: /^src\/domain\/.*\/entities\.ts$/,
  },
  {
    name: "work is claimed with leasedRows",
    pattern: /update( of \w+)? skip locked/,
    outside: CLAIMS,
  },
  { name: "no default exports", pattern: /^export default/m },
  { name: "no barrels", pattern: /^export \*/m },
  { name: "no escapes from the types", pattern: /@ts-(ignore|expect-error|nocheck)/ },
  { name: "nothing is left to do", pattern: /\b(TODO|FIXME|XXX)\b/ },
];

test("the domain, operations, workers and tests have the same groups", () => {
  const groups = [...GROUPS, "delivery"];
  const foldersOf = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  for (const path of ["src/domain", "src/api/operations", "src/workers"]) {
    expect(
      foldersOf(path).filter((name) => !groups.includes(name)),
      path,
    ).toEqual([]);
  }
  const besides = ["api", "clients", "contract", "pages", "processes", "support", "unit"];
  expect(foldersOf("test").filter((name) => ![...groups, ...besides].includes(name))).toEqual([]);
  expect(readdirSync(join(ROOT, "test")).filter((name) => name.endsWith(".test.ts"))).toEqual([]);
});

describe("files", () => {
  test.each(RULES)("$name", ({ pattern, outside = [], only: within = /^/ }) => {
    const checked = files.filter((file) => within.test(file) && !outside.some((place) => place.test(file)));
    expect(checked.filter((file) => pattern.test(textOf(file)))).toEqual([]);
  });

  test("are named after what they do", () => {
    expect(files.filter((file) => /(service|manager|helper|util)s?\b/i.test(file))).toEqual([]);
  });

  test("have at most 250 lines", () => {
    const long = files.filter((file) => textOf(file).split("\n").length > 251);
    expect(long.sort()).toEqual(Object.keys(LONG).sort());
  });
});

test("docs/oauth.md names tests that exist", () => {
  const tests = readdirSync(join(ROOT, "test/access")).map((name) => textOf(`test/access/${name}`));
  const checklist = textOf("docs/oauth.md").split("## The checklist")[1]!;
  const named = [...checklist.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(0);
  const isThere = (name: string) => name.split("…").every((part) => tests.some((text) => text.includes(part.trim())));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
