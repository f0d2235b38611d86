import { own } from "../../kernel/own.ts";
import type { Happened, Notice } from "./notice.ts";
import { agentRules } from "./of-agents.ts";
import { chatRules } from "./of-chat.ts";
import { docRules } from "./of-docs.ts";
import { goalRules } from "./of-goals.ts";
import { issueRules } from "./of-issues.ts";
import { sessionRules } from "./of-sessions.ts";
import { workflowRules } from "./of-workflows.ts";
import { workspaceRules } from "./of-workspace.ts";

/** What each event notifies of: the table of all rules. */
const RULES = [
  ...issueRules,
  ...docRules,
  ...goalRules,
  ...chatRules,
  ...workflowRules,
  ...agentRules,
  ...sessionRules,
  ...workspaceRules,
];

type Notifying = (typeof RULES)[number]["on"];

/** The events that can notify somebody. */
export const NOTIFYING: readonly Notifying[] = RULES.map(({ on }) => on);

/** SQL for the relay: whether event `e` can notify anybody, by its type. */
export const WORTH_A_LOOK: Partial<Record<Notifying, string>> = Object.fromEntries(
  RULES.flatMap(({ on, only }) => (only === null ? [] : [[on, only]])),
);

const byName = Object.fromEntries(RULES.map((one) => [one.on, one.notices]));

export const noticesOf = (type: string, event: Happened<unknown>): readonly Notice[] =>
  own(byName, type)?.(event) ?? [];
