import { expect, test } from "vitest";
import { z } from "zod";
import { decodeBody } from "../../src/api/engine/decode.ts";
import { inputPart, variants } from "../../src/domain/kernel/described.ts";
import { choice } from "../../src/domain/kernel/wire.ts";

/** Bodies with objects of several kinds. */

const about = { type: ["Kind."], priority: ["Priority."], comment: ["Comment."] } as const;
const Action = variants("type", [
  inputPart(
    { type: about.type, priority: about.priority },
    { type: z.literal("set_priority"), priority: choice(["low", "high"]) },
  ),
  inputPart(
    { type: about.type, comment: about.comment },
    { type: z.literal("add_comment"), comment: z.string().max(10) },
  ),
]);
const Body = z.strictObject({ actions: z.array(Action).max(2) });

const decode = (actions: unknown) =>
  decodeBody(Body, { actions }, { lenient: false, creating: true, warnings: [] }).actions;
const errorsOf = (actions: unknown) => {
  try {
    return decode(actions);
  } catch (error) {
    const { details } = error as { details: { errors: { path: string; code: string; message: string }[] } };
    return details.errors.map(({ path, code, message }) => `${path} ${code}: ${message}`);
  }
};

test("each object is read as its kind", () => {
  expect(
    decode([
      { type: "Set Priority", priority: "HIGH" },
      { comment: "Hi", type: "add-comment" },
    ]),
  ).toEqual([
    { type: "set_priority", priority: "high" },
    { type: "add_comment", comment: "Hi" },
  ]);
});

test("errors are those of the kind that the object names", () => {
  expect(errorsOf([{ type: "set_priority", priority: "blue" }])).toEqual([
    "/actions/0/priority not_allowed: must be one of low, high",
  ]);
  expect(errorsOf([{ type: "add_comment", comment: "x".repeat(11) }])).toEqual([
    "/actions/0/comment too_long: must have at most 10 characters",
  ]);
  expect(errorsOf([{ type: "add_comment", comment: "x", priority: "low" }])).toEqual([
    expect.stringContaining("/actions/0/priority unknown_field"),
  ]);
});

test("an object of no kind is told which there are", () => {
  expect(errorsOf([{ type: "explode" }])).toEqual([
    "/actions/0/type not_allowed: must be one of set_priority, add_comment",
  ]);
  expect(errorsOf([{ priority: "low" }])).toEqual([
    "/actions/0/type required: is required and must be one of set_priority, add_comment",
  ]);
  expect(errorsOf([{ type: "constructor" }])).toEqual([expect.stringContaining("/actions/0/type not_allowed")]);
  expect(errorsOf(["set_priority"])).toEqual(["/actions/0 type: must be an object"]);
});
