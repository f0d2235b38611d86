import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flagsOf } from "../support/procfile.ts";

/** The flag that keeps web and worker within 512 MB; `npm run bench -- memory` measures the processes. */

const MB = 1024 * 1024;

/** Makes garbage, some of which lives for a while, and prints the size of the space for new objects. */
const GARBAGE = `
  const ring = [];
  for (let n = 0; n < 3e6; n++) ring[n % 200_000] = { n, text: String(n), list: [n, n] };
  const spaces = require("node:v8").getHeapSpaceStatistics();
  console.log(spaces.find(({ space_name }) => space_name === "new_space").space_size);`;

const spaceWith = (flags: string[], env = {}): number =>
  Number(execFileSync(process.execPath, [...flags, "-e", GARBAGE], { env, encoding: "utf8" }));

test.each(["web", "worker"])("the Procfile limits the space for new objects of %s to 32 MB", (name) => {
  expect(spaceWith(flagsOf(name))).toBeLessThanOrEqual(32 * MB);
});

test.each(["web", "worker"])("npm run %s starts it as the Procfile does", (name) => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  expect(scripts[name]).toBe(["exec node", ...flagsOf(name), `src/${name}.ts`].join(" "));
});

test("the image limits it for both processes", () => {
  const dockerfile = readFileSync(join(import.meta.dirname, "../../Dockerfile"), "utf8");
  const [, NODE_OPTIONS] = /NODE_OPTIONS="?([^"\n]*)"?/.exec(dockerfile) ?? [];
  expect(spaceWith([], { NODE_OPTIONS })).toBeLessThanOrEqual(32 * MB);
});
