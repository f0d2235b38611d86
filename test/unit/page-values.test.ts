import { expect, test } from "vitest";
import { choices, select } from "../../src/api/pages/kit/fields.ts";
import { due } from "../../src/api/pages/kit/times.ts";
import { minutesOf, numberOf } from "../../src/api/pages/kit/typed.ts";
import { errorLines } from "../../src/api/pages/site/field-state.ts";
import { wordsOf } from "../../src/api/pages/site/refusal-words.ts";
import { dayHere, inZoneOf } from "../../src/api/pages/site/zone.ts";
import { ERRORS } from "../../src/domain/error-catalogue.ts";
import { Refusal } from "../../src/domain/kernel/errors.ts";

test("a whole day is late from the next midnight of the zone, and is the same in every zone; an instant at once", async () => {
  const day = "2026-11-24";
  const shown = (at: string, now: string) =>
    inZoneOf(null, { timezone: "Pacific/Auckland" }, async () => due(at, now, false).toString());
  expect(await shown(day, "2026-11-24T10:59:59.999Z")).toMatch(/>due 24 Nov 2026</);
  expect(await shown(day, "2026-11-24T11:00:00.000Z")).toMatch(/class="late">was due 24 Nov 2026</);
  const today = (timezone: string) => inZoneOf(null, { timezone }, async () => dayHere("2026-11-24T20:00:00.000Z"));
  expect([await today("Pacific/Auckland"), await today("UTC")]).toEqual(["2026-11-25", "2026-11-24"]);
  // An exact time is over at that time.
  expect(await shown("2026-11-24T09:00:00.000Z", "2026-11-24T09:00:00.001Z")).toContain("was due");
  expect(due(day, "2027-01-01T00:00:00.000Z", true).toString()).not.toContain("late");
});

test("numbers and times as people type them; what could mean two things is left to the API to refuse", () => {
  const numbers = ["", "5", "2,5", "0,125", "1.000", "1,000", "-1,000,000", "many"];
  expect(numbers.map(numberOf)).toEqual([null, 5, 2.5, 0.125, 1, "1,000", "-1,000,000", "many"]);
  const times = ["", "3 h 30 min", "1h", "45m", "45", "1:30", "-15", "soon", "1 000"];
  expect(times.map(minutesOf)).toEqual([null, 210, 60, 45, 45, 90, -15, "soon", "1 000"]);
  const more = ["1.5h", "1,5 h", "90m", "2d 4h", "1 day", "-0,25 h", "1.5:30", "d", "2 d 1,5 h 10 m"];
  expect(more.map(minutesOf)).toEqual([90, 90, 90, 1200, 480, -15, "1.5:30", "d", 1060]);
});

test("what is wrong with a field is said with its name in words", () => {
  const message = "must have at most 5 characters";
  const paths = ["/body_md", "/description_md", "/story_points", "/lead_user_id", "/label_ids/0", "/md", "/title"];
  const refusal = new Refusal("validation_failed", { errors: paths.map((path) => ({ path, code: "x", message })) });
  expect(errorLines(refusal).map((line) => line.replace(` ${message}`, ""))).toEqual([
    ...["The text", "Description", "The points", "Lead user", "Label", "Md", "Title"],
  ]);
});

test("what is stored stays chosen, even if a list does not have it", () => {
  const options = [{ value: "a", label: "Ada" }];
  const lead = select({ name: "lead", label: "Led by", options, none: "Nobody", value: "gone" }).toString();
  expect(lead).toContain('<option value="gone" selected>As it is now</option>');
  expect(select({ name: "lead", label: "Led by", options, none: "Nobody", value: "" }).toString()).not.toContain("now");
  const labels = choices({ name: "labels", label: "Labels", options, values: ["a", "gone"] }).toString();
  expect(labels.match(/value="(?:a|gone)" checked/g)).toHaveLength(2);
});

test("refusals that forms meet are in words of people", () => {
  const met = ["validation_failed", "invalid_parameter", "invalid_reference", "body_too_large", "link_self"];
  const others = ["version_conflict", "idempotency_in_progress", "workflow_not_enabled", "precondition_failed"];
  const errors = ERRORS.filter(({ code }) => [...met, ...others].includes(code));
  expect(errors).toHaveLength(9);
  for (const error of errors) {
    const { title, text } = wordsOf(new Refusal(error, {}));
    expect(`${title} ${text}`).not.toMatch(
      /\b(?:body|parameter|field|call|JSON|Idempotency|PATCH|retry)\b|[a-z]_[a-z]/i,
    );
  }
});
