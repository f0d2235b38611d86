import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of workspaces, members and usage for the API description. */

export const aboutWorkspace = {
  id: idOf("workspace", "workspace"),
  slug: ["Name of the workspace in paths and addresses. It never changes.", "acme"],
  name: ["What people see as the workspace's name. It need not be unique; `slug` is.", "Acme"],
  default_locale: ["Language of mails and pages, as a BCP 47 tag.", "en"],
  plan: [
    "Decides the limits and which features the workspace has: `plan_limit_reached` and `plan_required` refer to it.",
  ],
  role: ["Your role in the workspace. `null` if you are not a member.", "admin"],
  member_count: countOf("Number of people in the workspace, including guests.", 12),
  project_count: countOf("Number of projects that you can see and that are not archived."),
  timezone: ["IANA time zone for schedules of automations that name none.", "Europe/Berlin"],
  url: ["Address of the workspace's page.", "https://muster.example/w/acme"],
  ...timesOf("workspace"),
} as const;

export const aboutMember = {
  user_id: userId("The person or agent. Use it as an assignee, and in the paths of members."),
  email: ["E-mail address of the member. Guests see only their own.", "ada@example.com"],
  name: ["Display name of the member. `null` until they choose one.", "Ada Lovelace"],
  role: ["Role in the workspace. Guests are shown as `viewer` with `is_guest` true.", "member"],
  is_guest: ["Whether the member is a guest, who sees only the projects in `project_ids`."],
  project_ids: ["Ids of the projects that a guest sees. Empty for full members.", []],
  avatar_url: ["Address of the member's picture. `null` if there is none.", null],
  status: ["Whether the member can sign in and use keys."],
  joined_at: ["When the member joined the workspace.", "2026-01-15T09:30:00.000Z"],
  last_active_at: ["When the member was last active. `null` if never.", "2026-01-16T14:05:12.480Z"],
} as const;

export const aboutMemberPatch = { role: ["New role. A guest becomes a full member with any role.", "viewer"] } as const;

export const aboutTransfer = {
  user_id: ["User id or e-mail address of the active member who becomes the owner.", "ada@example.com"],
} as const;

export const aboutMemberRemoved = {
  user_id: userId("User id of the member who was removed."),
  removed: ["Always `true`."],
} as const;

export const aboutCapped = {
  used: countOf("Number in use now."),
  limit: ["Most that the plan allows. `null` if there is no limit.", 50],
} as const;

export const aboutPlan = {
  plan: [
    "Decides the limits and which features the workspace has: `plan_limit_reached` and `plan_required` refer to it.",
  ],
  status: ["Status of the subscription. `null` on a self-hosted service, which has no subscriptions.", null],
  trialing: ["`true` while the plan is tried without payment."],
  cycle: ["Billing cycle of the subscription. `null` without a subscription.", null],
  current_period_end: ["When the paid period ends. `null` without a subscription.", null],
} as const;

const STORAGE = 107_374_182_400;

export const aboutStorage = {
  used_bytes: countOf("Bytes that attachments use, including uploads that are announced but not committed.", 5_242_880),
  cap_bytes: countOf("Bytes that the workspace may use. 9007199254740991 means no limit.", STORAGE),
  base_cap_bytes: countOf("Bytes that the plan includes. 9007199254740991 means no limit.", STORAGE),
  addon_bytes: countOf("Bytes that were bought in addition to the plan.", 0),
  remaining_bytes: countOf("Bytes that are left. Never below 0.", STORAGE - 5_242_880),
  used_pct: countOf("Share of the storage in use, in percent, rounded down.", 0),
} as const;

export const aboutCredits = {
  monthly_grant: countOf("Credits that the plan includes each month.", 5_000),
  used: countOf("Credits used this month from the monthly grant.", 120),
  remaining: countOf("Credits that are left of the monthly grant.", 4_880),
  topup_balance: countOf("Purchased credits that are not spent yet. They are used after the monthly grant.", 2_000),
  daily_limit: countOf(
    "Most credits that may be spent in one day. Equals `monthly_grant` if there is no daily limit.",
    1_000,
  ),
  daily_used: countOf("Credits spent today (UTC).", 20),
  daily_remaining: countOf("Credits that may still be spent today (UTC).", 980),
} as const;

export const aboutCaps = {
  projects: ["Use of the limit on projects, without archived ones."],
  goals: ["Use of the limit on goals."],
  portfolios: ["Use of the limit on portfolios."],
  enabled_workflows: ["Use of the limit on enabled workflows."],
  automations: ["Use of the limit on automations."],
  automation_runs: ["Use of the limit on runs of automations in a month."],
  webhooks: ["Use of the limit on webhooks."],
  agents: ["Use of the limit on live agents."],
} as const;

export const aboutAgentSpend = {
  period_usd: ["The cost of all agents in this month (UTC), in USD.", 41.5],
  cap_usd: ["The monthly caps of all active agents together, in USD. `null` if one has no cap.", 100],
} as const;

export const aboutUsage = {
  plan: ["What the workspace pays for: the plan and how its subscription stands."],
  storage: ["Storage for attached files, in bytes."],
  ai_credits: ["Whole credits: what the plan grants each month, what was used, and what was bought on top."],
  seats: ["Use of seats, which owners, admins and members take."],
  guests: ["Use of the limit on guests."],
  caps: ["Other limits of the plan."],
  agent_spend: ["The cost of agents in this month."],
  period_start: ["Start of the current month (UTC).", "2026-01-01T00:00:00.000Z"],
  resets_at: ["Start of the next month (UTC), when monthly figures begin again.", "2026-02-01T00:00:00.000Z"],
} as const;

export const aboutInvite = {
  id: idOf("invite"),
  email: ["E-mail address of the person who is invited.", "grace@example.com"],
  role: ["Role that the person gets. A guest sees only the projects in `project_ids`.", "member"],
  invited_by_user_id: userId("User id of the person who sent the invite."),
  expires_at: ["When the invite expires: 7 days after it was sent.", "2026-01-22T09:30:00.000Z"],
  created_at: timesOf("invite").created_at,
  project_ids: ["Ids of the projects that a guest will see. Empty for other roles.", [SAMPLE.project]],
  status: ["State of the invite. Lists contain pending invites only."],
  invited_by_name: ["Name of the person who sent the invite. `null` if they have not chosen one.", "Ada Lovelace"],
  replaced_invite_id: ["Id of the pending invite to the same address that this one replaced. `null` if none.", null],
} as const;

export const aboutInviteCreate = {
  email: aboutInvite.email,
  role: aboutInvite.role,
  project_ids: ["Projects that a guest will see, by id, key or slug. Only for role `guest`.", ["WEB"]],
  message: ["Text for the person who is invited; part of the mail.", "Welcome aboard"],
} as const;

export const aboutInviteRevoked = { id: idOf("invite"), revoked: ["Always `true`."] } as const;

export const aboutMemberQuery = {
  q: ["Only people whose name contains this text, ignoring case.", "ada"],
  sort: ["`joined`: latest joined first. `name`: by name, in the order of dictionaries.", "name"],
  email: ["Only the person with this e-mail address. Guests find only themselves by address.", "ada@example.com"],
} as const;
