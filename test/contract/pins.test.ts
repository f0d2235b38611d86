import { expect, test } from "vitest";
import { pins, readPin } from "./pins.ts";

const HINT = "the API changed; if that is meant, run: npm run pin";

test.each(Object.keys(pins))("%s is as pinned", (name) => {
  expect(pins[name]?.(), HINT).toBe(readPin(name));
});
