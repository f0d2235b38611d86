import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/api/operations/index.ts";

/** A person is a `user` wherever the API says who or what somebody is. */

/** Kinds of a workflow's nodes: a task for a person. */
const OTHERS = /WorkflowNode|WorkflowRunDetail/;
const WRONG = ["person", "people", "human", "member", "assignee"];

test("one word stands for a person in all kinds", () => {
  const found: string[] = [];
  const kinds: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, schema] of Object.entries(value)) {
      if (/(^|_)kind$/.test(name) && !OTHERS.test(at)) {
        const words: unknown[] = [...(schema?.enum ?? []), schema?.const, schema?.anyOf?.[0]?.enum].flat();
        if (words.includes("user")) kinds.push(at);
        if (words.some((word) => WRONG.includes(String(word)))) found.push(`${at}/${name}`);
      }
      walk(schema, `${at}/${name}`);
    }
  };
  walk(openApiDocument(operations, "https://muster.test"), "");
  expect(kinds.length).toBeGreaterThan(8);
  expect(found).toEqual([]);
});
