import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, test } from "vitest";
import { sign } from "../../src/domain/delivery/webhooks/signature.ts";

/** The code in docs/webhooks.md verifies messages, and the test vector there is one of ours. */

const docs = new URL("../../docs/", import.meta.url);
const page = readFileSync(new URL("webhooks.md", docs), "utf8");
const vector: { secret: string; id: string; timestamp: number; body: string; signature: string } = JSON.parse(
  readFileSync(new URL("webhook-vector.json", docs), "utf8"),
);

// There a sample finds its library.
const folder = mkdtempSync(join(import.meta.dirname, "../../node_modules/.webhook-samples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The one block of code in a language, without or with a library. */
function sample(kind: string): string {
  const blocks = [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === kind);
  expect(blocks.map(([, name]) => name)).toEqual([kind]);
  return blocks[0]![2]!;
}

type Attempt = { secret: string; headers: Record<string, string>; body: string; now: number };

const genuine: Attempt = {
  secret: vector.secret,
  headers: {
    "webhook-id": vector.id,
    "webhook-timestamp": String(vector.timestamp),
    "webhook-signature": vector.signature,
  },
  body: vector.body,
  now: vector.timestamp,
};
const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const signedBy = (...secrets: string[]): Attempt => ({
  ...genuine,
  headers: { ...genuine.headers, "webhook-signature": sign(secrets, vector.id, vector.timestamp, vector.body) },
});
const withHeader = (name: string, value: string): Attempt => ({
  ...genuine,
  headers: { ...genuine.headers, [name]: value },
});
const RIGHT: Record<string, Attempt> = {
  "the vector": genuine,
  "both secrets during a rotation": signedBy(other, vector.secret),
  "five minutes later": { ...genuine, now: vector.timestamp + 299 },
};
const WRONG: Record<string, Attempt> = {
  "another secret": signedBy(other),
  "another body": { ...genuine, body: vector.body.replace("✓", "x") },
  "another id": withHeader("webhook-id", "0198c2a4-fb00-7c20-9d10-000000000000"),
  "another time": withHeader("webhook-timestamp", String(vector.timestamp + 1)),
  "another version": withHeader("webhook-signature", vector.signature.replace("v1,", "v2,")),
  "no version": withHeader("webhook-signature", vector.signature.slice(3)),
  "no signature": withHeader("webhook-signature", ""),
  "a short signature": withHeader("webhook-signature", vector.signature.slice(0, -4)),
  "no time": withHeader("webhook-timestamp", "NaN"),
  "six minutes later": { ...genuine, now: vector.timestamp + 360 },
  "six minutes earlier": { ...genuine, now: vector.timestamp - 360 },
};
const attempts = { ...RIGHT, ...WRONG };

/** Runs a program that reads the attempts as JSON and prints which of them it accepts. */
async function accepted(command: string, file: string, given: Record<string, Attempt> = attempts): Promise<string[]> {
  const path = join(folder, "attempts.json");
  writeFileSync(path, JSON.stringify(given));
  const { stdout } = await promisify(execFile)(command, [file, path], { timeout: 60_000 });
  return JSON.parse(stdout);
}

const NODE_MAIN = `
import { readFileSync } from "node:fs";
const names = [];
for (const [name, { secret, headers, body, now }] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf8")))) {
  try { if (verify(secret, headers, body, now).id) names.push(name); } catch {}
}
console.log(JSON.stringify(names));`;

const PYTHON_MAIN = `
import json as reading, sys
names = []
for name, a in reading.load(open(sys.argv[1], encoding="utf-8")).items():
    try:
        if verify(a["secret"], a["headers"], a["body"].encode(), *([a["now"]] if verify.__code__.co_argcount > 3 else []))["id"]: names.append(name)
    except Exception: pass
print(reading.dumps(names))`;

/** Writes a sample with a main program and returns the file. */
function program(kind: string, main: string, ending: string): string {
  const file = join(folder, `${kind.replace(" ", "-")}.${ending}`);
  writeFileSync(file, `${sample(kind)}\n${main}\n`);
  return file;
}

/** What a library accepts, which reads the clock itself: messages that are signed now. */
const now = Math.floor(Date.now() / 1_000);
const fresh = (secret: string, at: number): Attempt => ({
  ...genuine,
  headers: {
    "webhook-id": vector.id,
    "webhook-timestamp": String(at),
    "webhook-signature": sign([secret], vector.id, at, vector.body),
  },
});
const FRESH = { right: fresh(vector.secret, now), wrong: fresh(other, now), old: fresh(vector.secret, now - 3_600) };

const succeeds = (command: string, ...parameters: string[]) => spawnSync(command, parameters).status === 0;
const hasPython = succeeds("python3", "--version");
const hasPythonLibrary = hasPython && succeeds("python3", "-c", "import standardwebhooks");

test("the vector is what we and the reference library sign", () => {
  const { secret, id, timestamp, body, signature } = vector;
  expect(sign([secret], id, timestamp, body)).toBe(signature);
  expect(new Webhook(secret).sign(id, new Date(timestamp * 1_000), body)).toBe(signature);
  expect(body).toMatch(/[^ -~]/);
});

describe("JavaScript", () => {
  test("without a library", async () => {
    expect(await accepted(process.execPath, program("js", NODE_MAIN, "mjs"))).toEqual(Object.keys(RIGHT));
  });
  test("with a library", async () => {
    expect(await accepted(process.execPath, program("js library", NODE_MAIN, "mjs"), FRESH)).toEqual(["right"]);
  });
});

describe("Python", () => {
  test.skipIf(!hasPython)(`without a library${hasPython ? "" : " (skipped: there is no python3)"}`, async () => {
    expect(await accepted("python3", program("python", PYTHON_MAIN, "py"))).toEqual(Object.keys(RIGHT));
  });
  const skipped = hasPythonLibrary ? "" : " (skipped: standardwebhooks is not installed)";
  test.skipIf(!hasPythonLibrary)(`with a library${skipped}`, async () => {
    expect(await accepted("python3", program("python library", PYTHON_MAIN, "py"), FRESH)).toEqual(["right"]);
  });
});

const hasGo = succeeds("go", "version");
test.skipIf(!hasGo)(
  `Go without a library${hasGo ? "" : " (skipped: there is no go)"}`,
  async () => {
    const code = [...page.matchAll(/^```go\n([\s\S]*?)^```$/gm)]
      .map(([, text]) => text!)
      .find((text) => /^package/.test(text));
    const main = `
func main() {
	headers := http.Header{}
	headers.Set("webhook-id", os.Args[1])
	headers.Set("webhook-timestamp", os.Args[2])
	headers.Set("webhook-signature", os.Args[3])
	seconds, _ := strconv.ParseInt(os.Args[5], 10, 64)
	if Verify(os.Args[6], headers, []byte(os.Args[4]), time.Unix(seconds, 0)) == nil {
		os.Stdout.WriteString("yes")
	}
}`;
    const file = join(folder, "main.go");
    writeFileSync(
      file,
      `${code!.replace("package webhook", "package main").replace('"net/http"', '"net/http"\n\t"os"')}${main}`,
    );
    const yes: string[] = [];
    for (const [name, { secret, headers, body, now: at }] of Object.entries(attempts)) {
      const parameters = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((header) => headers[header]!);
      const { stdout } = await promisify(execFile)("go", ["run", file, ...parameters, body, String(at), secret]);
      if (stdout === "yes") yes.push(name);
    }
    expect(yes).toEqual(Object.keys(RIGHT));
  },
  120_000,
);
