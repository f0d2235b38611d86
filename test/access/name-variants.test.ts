import { describe, expect, test } from "vitest";
import { nameKey } from "../../src/domain/kernel/text.ts";
import { world } from "../support/world.ts";

/** Names that differ only in case, spaces, unseen characters or composed letters are equal. */

const NFC = "Café Überprüfung";
/** Decomposed letters, a no-break and a double space, and characters that cannot be seen. */
const VARIANTS = [
  NFC.normalize("NFD"),
  "Café\u00a0Überprüfung",
  "Café \u3000 Überprüfung",
  "Ca\u200bfé Über\u00adprüfung\ufeff",
  "Ca\u200dfé\u2060 Überprüfung\ufe0f",
  "\u200e\u2066Café Überprüfung\u2069\u061c",
  "CAFÉ ÜBERPRÜFUNG",
];

describe("a name in another spelling of Unicode", () => {
  test("is the same name for labels, columns, fields and options of fields", async () => {
    const { owner } = await world();
    const places: [path: string, rest: object][] = [
      ["P/labels", {}],
      ["P/statuses", { category: "todo" }],
      ["P/custom-field-defs", { kind: "text" }],
    ];
    for (const [path, rest] of places) {
      const { data } = await owner.post(path, { name: VARIANTS[0], ...rest }).expect(201);
      expect(data.name).toBe(NFC);
      for (const name of VARIANTS) {
        const { body } = await owner.post(path, { name, ...rest }).expect(409, "already_exists");
        expect(body.error.details.existing_id).toBe(data.id);
      }
    }
    await owner
      .post("P/custom-field-defs", { name: "Kind", kind: "select", options: [NFC, VARIANTS[0]] })
      .expect(400, "validation_failed");
  });

  test("is found by references, values, filters and views", async () => {
    const { owner } = await world();
    const { data: label } = await owner.post("P/labels", { name: NFC }).expect(201);
    const { data: column } = await owner.post("P/statuses", { name: NFC, category: "todo" }).expect(201);
    const { data: field } = await owner
      .post("P/custom-field-defs", { name: NFC, kind: "select", options: [NFC] })
      .expect(201);
    for (const name of VARIANTS) {
      const input = {
        title: name,
        type: "task",
        labels: [name],
        status_id: column.id,
        custom_fields: { [name]: name },
      };
      const { data: issue } = await owner.post("P/issues", input).expect(201);
      expect(issue.labels).toMatchObject([{ id: label.id }]);
      expect(issue.custom_fields).toEqual({ [field.id]: NFC });
    }
    for (const name of VARIANTS) {
      const value = encodeURIComponent(name);
      for (const query of [`label=${value}`, `status=${value}`, `customFields[${value}]=${value}`]) {
        expect((await owner.get(`P/issues?${query}`).expect(200)).data, query).toHaveLength(VARIANTS.length);
      }
    }
    const filter = { labels: [VARIANTS[0]], statuses: [VARIANTS[1]], customFields: { [VARIANTS[2]!]: VARIANTS[3] } };
    const { data: view } = await owner.post("P/saved-views", { name: "V", filter }).expect(201);
    expect((await owner.get(`P/issues?view=${view.id}`).expect(200)).data).toHaveLength(VARIANTS.length);
  });

  test("meets conditions of automations", async () => {
    const { owner } = await world();
    const { data: label } = await owner.post("P/labels", { name: NFC }).expect(201);
    await owner.post("P/issues", { title: NFC, type: "task", labels: [label.id] }).expect(201);
    const conditions = {
      match: "all",
      rules: [
        { field: "label", op: "is", value: VARIANTS[2] },
        { field: "title", op: "contains", value: "U\u0308berpru\u0308fung" },
      ],
    };
    const { data: rule } = await owner
      .post("W/automations", {
        name: "Rule",
        trigger: "issue.created",
        conditions,
        actions: [{ type: "add_label", label_id: VARIANTS[0] }],
      })
      .expect(201);
    const { data } = await owner.post(`W/automations/${rule.id}/dry-run`, { issue_key: "WEB-1" }).expect(200);
    expect(data.matched, JSON.stringify(data.failed)).toBe(true);
  });

  test("is not cut before its parts are joined, and is too long only if it is afterwards", async () => {
    const { owner } = await world();
    const long = "ệ".repeat(50);
    expect((await owner.post("P/labels", { name: long.normalize("NFD") }).expect(201)).data.name).toBe(long);
    const spaced = Array.from({ length: 25 }, () => "é").join("\u3000\u3000 ");
    expect((await owner.post("P/labels", { name: spaced }).expect(201)).data.name).toHaveLength(49);
    for (const name of [`${long}e`, "\u0301".repeat(300_000), `a${"\u200d".repeat(300_000)}`, " a".repeat(200_000)]) {
      await owner.post("P/labels", { name }).expect(400, "validation_failed");
    }
  });
});

test("case is folded as people read it: ß is ss, both sigmas are one, and İ is i", () => {
  for (const [one, other] of [
    ["STRASSE", "straße"],
    ["ΟΔΟΣ", "οδος"],
    ["οδοσ", "οδος"],
    ["İSTANBUL", "istanbul"],
  ] as const) {
    expect(nameKey(one), one).toBe(nameKey(other));
  }
  expect(nameKey("می‌خواهم")).not.toBe(nameKey("میخواهم"));
});

test("Postgres folds case as the service does", async () => {
  const { sql } = await world();
  for (const name of ["STRASSE", "Straße", "ẞ", "ΟΔΟΣ", "οδος", "İSTANBUL", "ılık", "ǅ", "ÀÉ", "Ⅷ", "𐐀"]) {
    expect(await sql(`select name_key($1) as key`, [name]), name).toEqual([{ key: nameKey(name) }]);
  }
});

test("lists by name are in the order of dictionaries, also from page to page", async () => {
  const { owner } = await world();
  const sorted = ["app", "Apple", "Ähre", "bar", "Über", "zoo", "Zürich", "École"].sort(
    new Intl.Collator("und").compare,
  );
  for (const name of sorted.toReversed()) await owner.post("P/labels", { name }).expect(201);
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await owner.get(`P/labels?limit=3${cursor}`).expect(200);
    seen.push(...body.data.map(({ name }: { name: string }) => name));
    if (!body.pagination.next_cursor) break;
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
  expect(seen).toEqual(sorted);
  expect(seen.indexOf("École")).toBeLessThan(seen.indexOf("zoo"));

  for (const [n, name] of ["Ödland", "zebra", "ocean"].entries()) {
    await owner.post("W/projects", { key: `N${n}`, name }).expect(201);
  }
  const names = (await owner.get("W/projects").expect(200)).data.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => ["Ödland", "zebra", "ocean"].includes(name))).toEqual([
    "ocean",
    "Ödland",
    "zebra",
  ]);
});
