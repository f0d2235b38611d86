import { beforeEach, describe, expect, test } from "vitest";
import { type Agenda, openAgenda } from "../../src/workers/events/agenda.ts";

let now = 0;
let agenda: Agenda;
const quiet = { heard: false, more: false, busy: false, ms: 1 };
const looked = (...places: (string | null)[]) => agenda.looked(places, now);

beforeEach(() => {
  now = 10_000;
  agenda = openAgenda(() => now);
  looked();
});

describe("a workspace with events", () => {
  test("is due at once after a pause, and waits after a pass in which nobody was told anything", () => {
    expect(agenda.hint("a")).toBe(true);
    expect(agenda.takeDue()).toEqual(["a"]);
    agenda.passed("a", quiet);

    now += 10;
    agenda.hint("a");
    expect(agenda.takeDue()).toEqual([]);
    expect(agenda.pause()).toBe(90);
    now += 90;
    expect(agenda.takeDue()).toEqual(["a"]);
  });

  test("waits for a few milliseconds where somebody listens, and longer the longer a pass takes", () => {
    const pauseAfter = (ms: number) => {
      agenda.passed("a", { ...quiet, heard: true, ms });
      agenda.hint("a");
      return agenda.pause();
    };
    expect([0.5, 5, 500].map(pauseAfter)).toEqual([3, 10, 25]);
    agenda.passed("a", quiet);
    expect(agenda.pause()).toBe(3);
    now += 1_000;
    looked("a");
    agenda.takeDue();
    agenda.passed("a", quiet);
    agenda.hint("a");
    expect(agenda.pause()).toBe(100);
  });

  test("does not keep others waiting", () => {
    agenda.passed("a", quiet);
    agenda.hint("a");
    agenda.hint("b");
    expect(agenda.takeDue()).toEqual(["b"]);
  });

  test("is due at once if more is left, and soon if another relay takes it or its pass failed", () => {
    agenda.passed("a", { ...quiet, more: true });
    expect(agenda.takeDue()).toEqual(["a"]);
    agenda.passed("a", { ...quiet, busy: true });
    expect(agenda.takeDue()).toEqual([]);
    now += 50;
    expect(agenda.takeDue()).toEqual(["a"]);
    agenda.failed("a");
    now += 999;
    expect(agenda.takeDue()).toEqual([]);
    now += 1;
    expect(agenda.takeDue()).toEqual(["a"]);
  });

  test("of which no hint tells is found by looking, and so are events of people without a workspace", () => {
    expect(agenda.mustLook()).toBe(false);
    now += 1_000;
    expect(agenda.mustLook()).toBe(true);
    looked("a", null);
    expect(agenda.takeDue()).toEqual(["a", null]);
  });
});

describe("a hint", () => {
  test("without a name makes the relay look at once", () => {
    now += 5;
    expect(agenda.hint("")).toBe(true);
    expect(agenda.mustLook()).toBe(true);
  });

  test("with a name makes it look later: the change may have events of others", () => {
    agenda.hint("a");
    agenda.takeDue();
    expect(agenda.pause()).toBe(250);
  });

  test("that says nothing new does not wake the relay", () => {
    agenda.hint("a");
    now += 1;
    expect(agenda.hint("a")).toBe(false);
  });
});
