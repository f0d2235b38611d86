import { describe, expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import type { Reply } from "../support/client.ts";
import { named, sampled } from "../support/sample.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, pathOf } from "./examples.ts";
import { type Place, put } from "./hostile.ts";
import { namePlaces, textPlaces } from "./text-places.ts";

/**
 * Names that every object inherits have no special meaning: wherever a word is accepted, the reply is the same as for
 * its letters reversed.
 */

const WORDS = ["constructor", "__proto__"];
const ALL_WORDS = [...WORDS, "toString", "hasOwnProperty", "valueOf"];
const backwards = (word: string) => [...word].reverse().join("");

const cases = operations.map((operation) => ({ id: operation.id, operation }));

describe.each(
  sampled(
    cases.filter(({ operation }) => operation.body),
    10,
  ),
)(named("in the body of $id"), ({ operation }) => {
  const { params: make, body } = exampleOf(operation);
  const { item } = operation;

  /** Sends a valid body with this JSON inserted. Each body differs, so that none is rejected as a duplicate. */
  async function opened() {
    const here = await world();
    const address = pathOf(operation, here, await make?.(here));
    let n = 1;
    return ({ path: place, variants }: Place, json: string, name?: string) => {
      const good = body?.(n++, here) ?? {};
      const one = put(item ? (good.items as Record<string, unknown>[])[0]! : good, place, json, variants);
      const named = name === undefined ? one : one.replace('"MARK"', JSON.stringify(name));
      const headers = { "content-type": "application/json" };
      const raw = item ? `{"items":[${named}]}` : named;
      return here.owner.call(operation.method, address, undefined, { raw, headers });
    };
  }

  test("an inherited property's name is an ordinary text", { timeout: 120_000 }, async () => {
    const send = await opened();
    for (const place of textPlaces(operation)) {
      for (const word of WORDS) {
        const inherited = await send(place, JSON.stringify(word));
        const plain = await send(place, JSON.stringify(backwards(word)));
        const what = `${word} at /${place.path.join("/")}`;
        expect(`${what}: ${outcome(inherited)}`, inherited.text).toBe(`${what}: ${outcome(plain)}`);
      }
    }
  });

  test("an inherited property's name is an ordinary name, or is rejected", async () => {
    const send = await opened();
    for (const path of namePlaces(operation)) {
      for (const word of ALL_WORDS) {
        const inherited = await send({ path: [...path, "MARK"], variants: [] }, '"x"', word);
        const plain = await send({ path: [...path, "MARK"], variants: [] }, '"x"', backwards(word));
        const what = `${word} in /${path.join("/")}`;
        if (!outcome(inherited).startsWith("400 unknown_field")) {
          expect(`${what}: ${outcome(inherited)}`, inherited.text).toBe(`${what}: ${outcome(plain)}`);
        }
      }
    }
  });
});

describe.each(sampled(cases, 20))(named("in the address of $id"), ({ operation }) => {
  test("names of inherited properties are ordinary words", async () => {
    const here = await world();
    const params = (await exampleOf(operation).params?.(here)) ?? {};
    const own = pathOf(operation, here, params);
    const places = [
      { where: "as a parameter", path: (word: string) => `${own}?${word}=1` },
      ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        where: `as {${name}}`,
        path: (word: string) => pathOf(operation, here, { ...params, [name!]: word }),
      })),
      ...(operation.writes ? [] : ["fields", "cursor", "limit", ...Object.keys(operation.query?.shape ?? {})]).map(
        (name) => ({ where: `as ?${name}=`, path: (word: string) => `${own}?${name}=${word}` }),
      ),
    ];
    for (const { where, path } of places) {
      for (const word of ALL_WORDS) {
        const [inherited, plain] = [await call(here, path(word)), await call(here, path(backwards(word)))];
        expect(`${word} ${where}: ${outcome(inherited)}`, inherited.text).toBe(`${word} ${where}: ${outcome(plain)}`);
      }
    }
  });

  const call = (here: World, path: string) =>
    here.owner.call(operation.method, path, operation.body && exampleOf(operation).body?.(1, here));
});

/** The reply to a call, without the values that were sent. A bulk call's replies are its rows. */
function outcome({ status, body }: Reply): string {
  if (status === 207) return (body.data as Row[]).map((row) => said(row.status, row.error?.details)).join(", ");
  return said(status, { code: body?.code, ...body?.error?.details });
}

type Details = { code?: string; errors?: { code: string }[] };
type Row = { status: number; error?: { details: Details } };

const said = (status: number, { code = "", errors = [] }: Details = {}) =>
  [status, code, ...errors.map((error) => error.code)].join(" ").trim();

test("an option called constructor or __proto__ names no priority", async () => {
  const { owner } = await world();
  const options = [...ALL_WORDS, "Urgent"];
  const { data: form } = await owner
    .post("P/forms", {
      title: "Bug",
      status: "published",
      fields: [{ kind: "select", label: "How bad?", mapping: "priority", options }],
    })
    .expect(201);
  for (const option of options) {
    const { data } = await owner
      .post(`P/forms/${form.id}/submissions`, { answers: { [form.fields[0].id]: option } })
      .expect(201);
    const issue = await owner.get(`P/issues/${data.created_issue_id}`).expect(200);
    expect(`${option} ${issue.data.priority}`).toBe(`${option} ${option === "Urgent" ? "critical" : "medium"}`);
  }
});
