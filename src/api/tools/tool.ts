import type { Located } from "../../domain/access/identity/access.sql.ts";
import type { Runtime } from "../engine/call.ts";
import type { Json } from "../openapi/schemas.ts";
import type { Arguments } from "./arguments.ts";
import type { Answer } from "./budget.ts";
import type { Exchange } from "./exchange.ts";

/** A tool as clients see it, and what it does. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: Json;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  /** It takes no arguments but those of its schema. The other tools leave this to their operation. */
  isClosed?: true;
  /** Whether `tools/list` shows it to a caller. */
  isFor(runtime: Runtime, located: Located): boolean;
  /** Returns an answer that fits. @throws Refusal */
  run(exchange: Exchange, given: Arguments): Promise<Answer>;
};
