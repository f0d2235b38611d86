import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { variables } from "../../src/config.ts";

type Line = { meaning: string; value: string };

test(".env.example has the names, meanings and defaults of src/config.ts", () => {
  const example = readExample();
  expect([...example.keys()]).toEqual(Object.keys(variables));
  for (const [name, schema] of Object.entries(variables)) {
    const { meaning, value } = example.get(name) as Line;
    expect(meaning, name).toBe(schema.description);
    // An empty value means: not set.
    expect(schema.parse(value === "" ? undefined : value), name).toEqual(schema.parse(undefined));
  }
});

function readExample(): Map<string, Line> {
  const lines = new Map<string, Line>();
  let comment: string[] = [];
  for (const line of readFileSync(new URL("../../.env.example", import.meta.url), "utf8").split("\n")) {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    if (line.startsWith("# ")) comment.push(line.slice(2));
    else if (name !== undefined && value !== undefined) lines.set(name, { meaning: comment.join(" "), value });
    if (!line.startsWith("# ")) comment = [];
  }
  return lines;
}
