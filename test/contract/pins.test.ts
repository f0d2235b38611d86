import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { definedAuditsPath, definedAuditsSource, definedEventsPath, definedEventsSource } from "./defined-events.ts";
import { errorCodesPath, errorCodesSource } from "./error-codes.ts";
import { pins, readPin } from "./pins.ts";

const HINT = "the API changed; if that is meant, run: npm run pin";

test.each(Object.keys(pins))("%s is as pinned", (name) => {
  expect(pins[name]?.(), HINT).toBe(readPin(name));
});

test("the error codes of operations are those of their code", () => {
  expect(errorCodesSource(), HINT).toBe(readFileSync(errorCodesPath, "utf8"));
});

test("the lists of events and audit entries are complete", () => {
  expect(definedEventsSource(), HINT).toBe(readFileSync(definedEventsPath, "utf8"));
  expect(definedAuditsSource(), HINT).toBe(readFileSync(definedAuditsPath, "utf8"));
});
