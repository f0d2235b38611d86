import type { World } from "../../support/world.ts";
import type { Params } from "../examples.ts";

/** One call of an operation that changes something in a project, and the expected records. */
export type Case = {
  /** A label, if there are several cases of one operation. */
  does?: string;
  /** Default: those of the operation's example; likewise the body. */
  params?: (world: World) => Promise<Params>;
  body?: (world: World, params: Params) => Promise<Record<string, unknown>> | Record<string, unknown>;
  /** Events in order. */
  says: string[];
  /** Kinds of new history entries, of any issue. */
  lines?: string[];
  /** The reply to the same call again, if it changes nothing. Absent: it would change something again. */
  again?: number;
};

export const issue = async ({ owner }: World, body: Record<string, unknown> = {}): Promise<Params> => {
  const { data } = await owner.post("P/issues", { title: "Target", ...body }).expect(201);
  return { issueKey: data.id };
};

export const made = async ({ owner }: World, path: string, body: Record<string, unknown>): Promise<string> =>
  (await owner.post(path, body).expect(201)).data.id;

/** An issue that blocks another. */
export const blocker = async (world: World): Promise<Params> => {
  const { issueKey } = await issue(world, { type: "bug" });
  const blocked = await issue(world);
  const link = { kind: "blocks", direction: "out", target_key: blocked.issueKey };
  await world.owner.post(`P/issues/${issueKey}/links`, link).expect(201);
  return { issueKey: issueKey! };
};

/** A field with a value on an issue. */
export const valued = async (world: World): Promise<Params> => {
  const body = { name: "Size", kind: "select", options: ["Small", "Large"] };
  const fieldId = await made(world, "P/custom-field-defs", body);
  return { ...(await issue(world, { custom_fields: { Size: "Large" } })), fieldId, id: fieldId };
};
