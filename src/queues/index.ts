/**
 * Every queue: the file in src/workers that declares and serves it. The web process knows their names from here and loads
 * none of the files; src/workers/index.ts loads them all.
 */
export const QUEUE_FILES = [
  "access/end-agents",
  "access/roll-up-key-usage",
  "automation/advance-workflows",
  "automation/tell-workflows",
  "delivery/deliver-webhook",
  "delivery/start-deliveries",
  "delivery/replay-messages",
  "tenancy/confirm-payment",
  "tenancy/save-card",
  "delivery/send-email",
  "tenancy/settle-payments",
  "work/pass-on-epics",
  "knowledge/request-recounts",
  "knowledge/count-key-results",
  "knowledge/announce-goals",
  "knowledge/close-streams",
  "knowledge/notify",
  "knowledge/remind",
  "knowledge/send-digests",
  "knowledge/index-old-rows",
  "automation/stream-to-agent",
  "automation/run-automations",
  "automation/fit-plan",
  "automation/start-schedules",
  "automation/watch-due-dates",
  "automation/cancel-workflow-runs",
  "automation/settle-sessions",
  "automation/sweep-sessions",
  "work/make-mass-changes",
  "work/unassign-departed",
  "work/tally-issues",
  "events/sweep",
  "delivery/clean-up",
  "delivery/collect-files",
] as const;

export const QUEUE_NAMES: readonly string[] = QUEUE_FILES.map((file) => file.slice(file.lastIndexOf("/") + 1));
