import { own } from "../../kernel/own.ts";
import { agentRules } from "./of-agents.ts";
import { chatRules } from "./of-chat.ts";
import { docRules } from "./of-docs.ts";
import { issueRules } from "./of-issues.ts";
import type { Happened, Telling } from "./telling.ts";

/** What each event tells agents: the table of all rules. */
const RULES = [...issueRules, ...docRules, ...chatRules, ...agentRules];

export type TellingEvent = (typeof RULES)[number]["on"];

/** The events that can tell agents something. */
export const TELLING: readonly TellingEvent[] = RULES.map(({ on }) => on);

const byName = Object.fromEntries(RULES.map((one) => [one.on, one.tells]));

/** What an event tells agents, without what they did themselves and what others alone may see. */
export function tellingsOf(event: Happened): Telling[] {
  const tells = own(byName, event.type)?.(event) ?? [];
  return tells.flatMap((telling) => {
    const agents = telling.agents.filter((id) => maySee(event, id) && (telling.echo || id !== event.actor_id));
    return agents.length === 0 ? [] : [{ ...telling, agents: [...new Set(agents)] }];
  });
}

const maySee = ({ person_id }: Happened, agent: string): boolean => person_id === null || person_id === agent;
