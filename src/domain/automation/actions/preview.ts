import type { IssueView } from "../../work/issues/view.ts";
import type { Running } from "./action.ts";
import { declarationOf } from "./catalogue.ts";
import type { ActionInput } from "./inputs.ts";
import { markdown, plainText } from "./texts.ts";

/** What an action would do, for dry runs. */
export type Preview = {
  type: ActionInput["type"];
  /** The issue that would change. Null if the action changes none. */
  issue_key: string | null;
  /** One sentence. */
  summary: string;
  /** The action with values in the place of paths. */
  action: Record<string, unknown>;
};

/** Returns what an action would do to an issue. It reads and changes nothing. */
export function preview(action: ActionInput, running: Running, issue: Pick<IssueView, "key"> | null): Preview {
  const { type } = action;
  const summary = declarationOf(type).says(action, running);
  return {
    type,
    issue_key: "target" in action ? (issue?.key ?? null) : null,
    summary,
    action: filledIn(action, running) as Record<string, unknown>,
  };
}

const MAX_TEXT = 65_536;
const MARKDOWN: readonly string[] = ["comment", "body_md", "description_md"];

function filledIn(value: unknown, running: Running, name = ""): unknown {
  if (typeof value === "string") return (MARKDOWN.includes(name) ? markdown : plainText)(value, running, MAX_TEXT);
  if (Array.isArray(value)) return value.map((one) => filledIn(one, running));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, content]) => [key, filledIn(content, running, key)]));
}
