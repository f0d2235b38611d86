import { agentSpendCapReached, agentSpendWarning } from "../../access/agents/events.ts";
import type { AgentDetailView } from "../../access/agents/view.ts";
import { type Happened, type Notice, notice, rule } from "./notice.ts";

/** What agents notify of: their owner and the admins are told of what they spend. */
export const agentRules = [
  rule(agentSpendWarning, null, (event) => {
    // The cap was reached with the same report, which is announced too.
    if (event.data.spend?.over_cap) return [];
    return [spent(event, "has spent 80 % of its cap")];
  }),
  rule(agentSpendCapReached, null, (event) => [
    spent(
      event,
      "has reached its spend cap",
      event.data.spend_cap_action === "block" ? " It starts no more work this month, unless the cap is raised." : "",
    ),
  ]),
];

function spent({ data }: Happened<AgentDetailView>, what: string, effect = ""): Notice {
  const people = data.owner_user_id ? [data.owner_user_id] : [];
  const body = `${dollars(data.spend?.period_usd)} of ${dollars(data.spend_cap_usd)} this month (UTC).${effect}`;
  return notice(
    "spend_cap",
    {},
    { people, circle: "admins", byNobody: true, title: `${data.name ?? ""} ${what}`, body },
  );
}

const dollars = (amount: number | null | undefined): string => `$${(amount ?? 0).toFixed(2)}`;
