import { hasEtag } from "../engine/etag.ts";
import type { Operation } from "../engine/operation.ts";
import { successHeaders } from "./problems.ts";
import { type Json, nameIn, type OperationSchemas, referTo, type Schemas } from "./schemas.ts";

/** The successful replies of an operation, each with an example. */
export function repliesOf(operation: Operation, { returns: view, frame, example: data }: OperationSchemas): Json {
  const { shape, status } = operation;
  const reply = (description: string, schema: Json, example: Json) => ({
    description,
    headers: successHeaders(operation),
    content: { "application/json": { schema, example } },
  });
  const one = (description: string, example = data) => reply(description, envelope({ data: view }), { data: example });
  if (operation.pays) {
    return {
      200: one("Paid."),
      202: one("The processor is still at it; the credits come when it has succeeded.", unpaid(data as Json)),
    };
  }
  if (shape === "one") {
    const described = one(STATUS_TEXT[status] ?? "Done.");
    return {
      [status]: operation.streams
        ? {
            ...described,
            description: operation.streams.description,
            // OpenAPI 3.1 has no schema for a whole stream: by convention, tools read this one as that of each event.
            content: { [operation.streams.mediaType]: { schema: frame } },
          }
        : operation.downloads
          ? withDownloads(described, operation.downloads)
          : described,
      ...(!operation.writes && hasEtag(operation)
        ? { 304: { description: "You have it already.", headers: { ETag: { $ref: "#/components/headers/ETag" } } } }
        : {}),
    };
  }

  const many = (description: string, rows: Json, examples: unknown[]) =>
    reply(description, envelope({ data: arrayOf(rows), pagination: PAGINATION }), {
      data: examples,
      pagination: { next_cursor: null },
    });
  if (shape === "bulk") {
    const rows = referTo(bulkRowName(view));
    const good = { index: 0, ok: true, status: 201, data };
    return {
      201: many("All items succeeded.", rows, [good]),
      207: many("Some or all items failed.", rows, [good, BAD_ROW]),
    };
  }
  const rows = many(shape === "list" ? "One page." : "All of them; `next_cursor` is null.", view, [data]);
  return { 200: operation.downloads ? withDownloads(rows, operation.downloads) : rows };
}

const unpaid = (purchase: Json) => ({
  ...purchase,
  payment_status: "pending",
  credits_status: "pending",
  receipt: null,
});

const withDownloads = ({ headers, content, ...reply }: Json, types: readonly string[]): Json => ({
  ...reply,
  headers: { ...(headers as Json), "Content-Disposition": { $ref: "#/components/headers/Content-Disposition" } },
  content: {
    ...(content as Json),
    ...Object.fromEntries(types.map((type) => [type.split(";")[0], { schema: { type: "string" } }])),
  },
});

const STATUS_TEXT: Record<number, string> = { 200: "Done.", 201: "Created.", 202: "Accepted." };
const PAGINATION = referTo("Pagination");
const arrayOf = (items: Json): Json => ({ type: "array", items });

const envelope = (members: Json): Json => ({
  type: "object",
  required: Object.keys(members),
  properties: { ...members, warnings: arrayOf(referTo("Warning")) },
});

/** Rows of a bulk call, by the name of the object that it creates: `Issue` → `BulkIssueRow`. */
const bulkRowName = (view: Json) => `Bulk${nameIn(view)}Row`;

/** The named schemas of the rows of bulk calls. */
export const bulkRows = (operations: readonly Operation[], schemas: Schemas): Record<string, Json> =>
  Object.fromEntries(
    operations
      .filter(({ shape }) => shape === "bulk")
      .map((operation) => {
        const view = schemas.of(operation).returns;
        const description = "What became of an item: `ok` says whether it was stored.";
        return [bulkRowName(view), { description, oneOf: [goodRow(view), referTo("BulkFailure")] }];
      }),
  );

const goodRow = (view: Json): Json => ({
  type: "object",
  required: ["index", "ok", "status", "data"],
  properties: {
    index: { type: "integer", description: "Position of the item in the body, from 0." },
    ok: { const: true, description: "The item was stored." },
    status: { const: 201, description: "HTTP status that a separate call for the item would have returned." },
    data: { ...view, description: "The object as it was stored." },
  },
});

const BAD_ROW = {
  index: 1,
  ok: false,
  status: 400,
  error: {
    code: "validation",
    message: "1 field is not valid",
    details: { code: "validation_failed", errors: [{ path: "", code: "required", message: "is required" }] },
  },
};
