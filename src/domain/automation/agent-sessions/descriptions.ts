import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of agent sessions, for the API description. */

const common = {
  title: ["What the session is about, in one line.", "Fix the sign-in on Safari"],
  note: ["What the agent does at the moment. `null` if it has not said.", "Running the tests"],
  external_url: [
    "Address of the pull request or other result. `null` if there is none yet.",
    "https://git.example/acme/web/pull/7",
  ],
  branch: ["Branch that the agent works on. `null` if not known.", "fix/safari-sign-in"],
  model: ["Model that the agent uses. `null` if not known.", "claude-sonnet-5"],
  state: [
    "State of the session. `needs_input`: the agent waits for an answer. `review`: the result is ready to be looked at.",
    "running",
  ],
  question: ["What the agent asks. `null` unless the state is `needs_input`."],
  plan: ["Steps of the agent's plan."],
  summary: ["What was done. `null` if the agent has not said.", "Sets the cookie's SameSite attribute."],
  error: ["Why the session failed. `null` if it has not, or if the agent has not said.", null],
  workflow_run_id: ["Id of the workflow run that the session works for. `null` if none.", null],
} as const;

export const aboutQuestion = {
  text: ["What the agent wants to know. People see it and answer it.", "Which browsers have to work?"],
  options: ["Answers to choose from. Empty if any answer is fine.", ["Safari only", "All"]],
} as const;

export const aboutStep = {
  text: ["What is to be done.", "Write a test"],
  status: ["How far it is.", "completed"],
} as const;

export const aboutSession = {
  ...common,
  id: idOf("session"),
  agent_id: ["User id of the agent. For a session of a person: the person's user id.", SAMPLE.agent],
  agent_name: ["Name of the agent or person; empty if a person has none.", "Triage bot"],
  agent_kind: ["Provider of the agent, such as `claude`. `custom` if not known.", "custom"],
  cost_usd: ["Costs that were reported or estimated, in US dollars. `null` if not known.", null],
  tokens_in: ["Input tokens that were reported. `null` if none were.", null],
  tokens_out: ["Output tokens that were reported. `null` if none were.", null],
  cached_tokens: [
    "Part of the input tokens that the model read from its cache, at a lower price. `null` if none were reported.",
    null,
  ],
  cost_estimated: ["Whether part of `cost_usd` is an estimate from tokens."],
  burn_rate_usd_per_hour: ["Costs of the last hour, per hour. `null` if not known.", null],
  usage_reports: countOf("How many reports of tokens and cost the session's totals contain.", 0),
  issue_id: ["Id of the issue that the session works on. `null` if none.", SAMPLE.issue],
  issue_key: ["The issue of `issue_id` as `KEY-N`. `null` if there is none.", "WEB-1"],
  started_at: ["When the session was started.", "2026-01-15T09:30:00.000Z"],
  last_activity_at: ["When the agent last said anything. Every PATCH counts.", "2026-01-15T09:42:00.000Z"],
  ended_at: ["When the session became done, failed or cancelled. `null` while it is open.", null],
  stalled: ["Whether the session is open and the agent has been silent for 30 minutes."],
  unverified: [
    "Whether the session is done or in review, but has no `external_url`, and the agent has not commented on the issue since its start.",
  ],
  state_reason: ["Why the service changed the state. `null` if the agent or a person did.", null],
  reopened: countOf("How often the session was continued after its end.", 0),
  claim: ["Whether the session claims the issue while it is open, so that no other session can."],
  claimed_by: [
    "User id of the agent or person whose open session has claimed the issue. `null` if none has.",
    SAMPLE.agent,
  ],
  existing: ["Whether a call to start a session returned one that was open already."],
  other_open_session_ids: ["Ids of other agents' open sessions on the issue.", []],
  started_by: userId("User id of the person or agent who started the session."),
  needs_input_at: ["When the agent last asked for input. `null` if it never did.", null],
  review_at: ["When the result was last ready for review. `null` if it never was.", null],
  updated_at: timesOf("session").updated_at,
} as const;

export const aboutAnswers = {
  session_id: idOf("session"),
  state: common.state,
  question: [
    "Text of the question. `null` if the session does not wait for an answer.",
    "Which browsers have to work?",
  ],
  asked_at: ["When the session last asked. `null` if it never did.", "2026-01-15T09:40:00.000Z"],
  answers: ["Comments that people wrote on the issue since the question, oldest first; 20 at most."],
} as const;

export const aboutSessionDetail = {
  ...aboutSession,
  answers: [
    "Comments that people wrote on the issue since the last question, oldest first; 20 at most. `null` for credentials without the scope `comments:read`.",
  ],
} as const;

export const aboutAnswer = {
  comment_id: ["Comment on the issue in which the person wrote the answer.", SAMPLE.other],
  author_id: userId("User id of the person who answered."),
  author_name: ["Name of that person. `null` if they have none.", "Ada Lovelace"],
  body_md: ["The answer, as Markdown: its first 4,000 characters.", "Safari only"],
  option: ["The option of the question that was chosen. `null` if the answer is none of them.", "Safari only"],
  created_at: ["When the answer was written.", "2026-01-15T09:45:00.000Z"],
} as const;

export const aboutSessionInput = {
  ...common,
  issue_key: ["Key or id of the issue to work on, or `next` for the first issue of `project` that is ready.", "WEB-1"],
  project: [
    'Key, slug or id of the project to work in. Required with `issue_key: "next"`; otherwise it follows from the issue.',
    "WEB",
  ],
  filter: ['With `issue_key: "next"`: which issues to choose from, with the filters of the list of issues.'],
  claim: [
    'Whether to claim the issue, so that no other session can while this one is open. Always so with `issue_key: "next"`.',
  ],
  issue_id: ["Id or key of the issue to work on. Send it or `issue_key`.", SAMPLE.issue],
  agent_id: [
    "User id of the agent. An agent's key acts as the agent itself; people name an agent that they own, or leave it out for a session of their own.",
    SAMPLE.agent,
  ],
} as const;

export const aboutSessionQuery = {
  state: ["Only sessions in one of these states, comma-separated.", "running,needs_input"],
  issue_key: ["Only sessions on this issue: its key or id.", "WEB-1"],
  agent_id: ["Only sessions of these agents: user ids or `me`, comma-separated.", "me"],
} as const;
