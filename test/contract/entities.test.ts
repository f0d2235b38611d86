import type { EntityName } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { openEntities } from "../../src/adapters/entities.ts";
import { operations } from "../../src/api/operations/index.ts";
import { entities } from "../../src/domain/entities.ts";
import type { Transaction } from "../../src/domain/kernel/ports/ports.ts";

const em = openEntities().in({} as Transaction, "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a01");
const named = entities.map((entity) => [entity.meta.className, entity as EntityName<object>] as const);

test.each(named)("a new %s has null in columns that were not set, and never undefined", (_, entity) => {
  const created = em.create(entity, {}) as Record<string, unknown>;
  const columns = em.getMetadata(entity).props.filter((column) => column.nullable);
  expect(columns.map(({ name }) => [name, created[name]])).toEqual(columns.map(({ name }) => [name, null]));
});

/** Tables that a PATCH changes by SQL, each with the reason. */
const BY_SQL: Record<string, string> = {
  issue: "one statement writes it with its event, history and counts, and the same one changes many",
  custom_field: "the statements that create issues and write values count in it at the same time",
  member: "its key is a pair, and its role is changed while the workspace is locked",
  chat_member: "its key is a pair, and statements of messages write its marks",
  time_entry: "it is changed while its issue is locked, which counts its minutes",
  saved_view: "its filter is any JSON, and an entity cannot tell the JSON null from no value",
};

/** Tables with another name than their operations. */
const TABLE: Record<string, string> = {
  statuses: "board_status",
  "custom-field-defs": "custom_field",
  time: "issue",
  "time-entries": "time_entry",
  views: "workspace_view",
};
const tableOf = (subject: string) => TABLE[subject] ?? subject.replaceAll("-", "_").replace(/s$/, "");

test("what a PATCH changes is an entity, and nothing else is", () => {
  const patches = operations.filter(({ method }) => method === "PATCH");
  const changed = new Set(patches.map(({ id }) => tableOf(id.split(".")[0]!)));
  const tables = entities.map(({ meta }) => meta.tableName ?? "");
  expect([...tables, ...Object.keys(BY_SQL)].sort()).toEqual([...changed].sort());
});
