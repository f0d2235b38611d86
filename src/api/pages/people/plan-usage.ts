import { type Html, html } from "../../../domain/kernel/html.ts";
import type { UsageView } from "../../../domain/tenancy/workspaces/usage.ts";
import { facts } from "../kit/pieces.ts";
import { dollars } from "../kit/sessions.ts";
import { bytesInWords } from "../kit/sizes.ts";
import { words } from "../kit/words.ts";

/** What the workspace uses of what its plan includes. */

const number = (value: number) => value.toLocaleString("en-US");
const of = (used: string, limit: string | null) => (limit === null ? `${used}, no limit` : `${used} of ${limit}`);

export function planUsage({ plan, storage, seats, guests, caps, agent_spend: spend }: UsageView): Html {
  const capped = ({ used, limit }: UsageView["seats"]) => of(number(used), limit === null ? null : number(limit));
  const bytes = storage.cap_bytes === Number.MAX_SAFE_INTEGER ? null : bytesInWords(storage.cap_bytes);
  return html`<section class="card" aria-labelledby="plan"><h2 id="plan">Plan: ${words(plan.plan)}</h2>
    ${facts([
      ["Members", capped(seats)],
      ["Guests", capped(guests)],
      ["Files", of(bytesInWords(storage.used_bytes), bytes)],
      ["Projects", capped(caps.projects)],
      ["Goals", capped(caps.goals)],
      ["Portfolios", capped(caps.portfolios)],
      ["Agents", capped(caps.agents)],
      [
        "Spent by agents this month",
        of(dollars(spend.period_usd), spend.cap_usd === null ? null : dollars(spend.cap_usd)),
      ],
      ["Automations", capped(caps.automations)],
      ["Their runs this month", capped(caps.automation_runs)],
      ["Enabled workflows", capped(caps.enabled_workflows)],
      ["Webhooks", capped(caps.webhooks)],
    ])}</section>`;
}
