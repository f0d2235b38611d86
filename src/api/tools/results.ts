import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Refusal } from "../../domain/kernel/errors.ts";
import { type Answer, cutToSize } from "./budget.ts";

/** What tools return to the client: the reply as an object, and the same as text for clients that read only text. */

export const resultOf = (answer: Answer): CallToolResult => ({
  structuredContent: answer,
  content: [{ type: "text", text: JSON.stringify(answer) }],
});

/** An error that the model can act on. */
export function errorResult(refusal: Refusal): CallToolResult {
  const { code, message, status, details, headers, problem } = refusal;
  const retryAfter = headers["Retry-After"];
  const { type: _, ...members } = problem;
  const error = {
    code,
    status,
    message,
    // What a client of the Payment scheme reads.
    ...(status === 402 ? { www_authenticate: headers["WWW-Authenticate"] } : {}),
    ...(retryAfter === undefined ? {} : { retry_after: Number(retryAfter) }),
    ...(Object.keys(details).length > 0 ? { details } : {}),
    ...members,
  };
  return { isError: true, ...resultOf(cutToSize({ error }, false)) };
}
