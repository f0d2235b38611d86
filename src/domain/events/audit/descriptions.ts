import { SAMPLE } from "../../kernel/described.ts";

/** Descriptions of the fields of the audit log for the API description. */

export const aboutEntry = {
  id: ["Id of the entry. Ids sort by time.", SAMPLE.other],
  at: ["When it was changed.", "2026-01-16T14:05:12.480Z"],
  actor: ["Who changed it."],
  key_id: [
    "Id of the API key or grant with which it was changed. `null` for people in a browser, and for the service itself.",
    SAMPLE.key,
  ],
  ip: [
    "Network of the client: the /24 of an IPv4 or the /48 of an IPv6 address. `null` if no client sent the change.",
    "203.0.113.0/24",
  ],
  user_agent: ["`User-Agent` of the client, up to 200 characters. `null` if it sent none.", "muster-cli/1.4"],
  type: ["What happened. Types are added over time.", "member.role_changed"],
  target: ["What was changed."],
  project_id: ["Id of the project that the object belongs to. `null` if it belongs to none.", null],
  changes: [
    "Old and new value of each changed field. Fields of a new object have `null` as their old value. Texts are cut after 200 characters, long lists are shortened, and addresses of receivers are shown without their path. Secrets never appear.",
    { role: ["member", "admin"] },
  ],
  cause: ["What it was changed through."],
} as const;

export const aboutEntryActor = {
  id: ["Id of the person, agent, automation or workflow. `null` for the service and its operators.", SAMPLE.user],
  kind: ["What kind of actor it was. `system` is the service, or an operator."],
  name: ["Name of the actor at that time. `null` if it had none.", "Ada Lovelace"],
} as const;

export const aboutEntryTarget = {
  type: ["What kind of object was changed.", "member"],
  id: ["Id of the object; of a member the user id. `null` if it has none.", SAMPLE.user],
  name: ["Name of the object at that time. `null` if it had none.", "Grace Hopper"],
} as const;

export const aboutEntryCause = {
  request_id: ["The `X-Request-Id` of the request. `null` if there was none.", "req_4711"],
  automation_id: ["The automation that made the change. `null` if none did.", null],
  workflow_run_id: ["The workflow run that made the change. `null` if none did.", null],
  agent_session_id: ["The session in which an agent made the change. `null` if it was not made in one.", null],
} as const;

export const aboutAuditQuery = {
  actor_id: ["Only changes by this person, agent or automation; `me` is the caller.", SAMPLE.user],
  key_id: ["Only changes with this API key or grant.", SAMPLE.key],
  type: ["Only this type, or a group such as `member.*`.", "member.*"],
  since: ["Only entries from this time on.", "2026-01-01"],
  until: ["Only entries before this time.", "2026-02-01"],
  format: ["`csv` and `ndjson` return a file with all matching entries, without paging."],
  bom: ["Whether a CSV file begins with the mark of UTF-8, which spreadsheets need. `false` leaves it out.", "true"],
} as const;
