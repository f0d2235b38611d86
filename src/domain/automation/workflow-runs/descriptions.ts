import { type About, idOf, SAMPLE, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of workflow runs, for the API description. */

const workflowId: About = [
  "The workflow that runs. The run keeps the version of the graph that it started with.",
  SAMPLE.other,
];
const issueId: About = ["Id of the issue that the run is about.", SAMPLE.issue];
const issueKey: About = ["The issue that the run is about, as `KEY-N`.", "WEB-7"];
const outcome = "`success`, `failure`, `approved`, `rejected`, `true`, `false`, `timeout`, `forced` or `cancelled`";

const aboutAnyRun = {
  id: idOf("run"),
  issue_id: issueId,
  issue_key: issueKey,
  workflow_id: workflowId,
  workflow_version: ["Version of the workflow that the run follows. Later versions do not change it.", 3],
  status: ["`running` until the run has ended."],
  current_summary: ["What the run waits for, or how it ended, in one line.", "Waiting: Review"],
  waiting: ["Whether all active stages wait for people, approvals, times or events."],
  started_by: userId(
    "The person, agent or key's owner who started the run, who may not approve its stages. `null` if an event started it.",
  ),
  started_at: ["When the first stage became active.", "2026-01-15T09:30:00.000Z"],
  ended_at: ["When the run ended. `null` while it runs.", null],
} satisfies Record<string, About>;

export const aboutRun = aboutAnyRun;

export const aboutRunDetail = {
  ...aboutAnyRun,
  workflow_name: ["The workflow's present name, for people.", "Review and release"],
  nodes: ["The state of each node."],
  context: ["What was sent at the start.", { ticket: "A-17" }],
  note_md: ["The note that was sent at the start, in Markdown. `null` if none.", "Please hurry."],
  error: ["Why the run failed, or why its end could not move the issue. `null` if all went well.", null],
} satisfies Record<string, About>;

export const aboutNode = {
  node_id: ["Id of the node in the workflow's graph.", "review"],
  kind: ["What the node does."],
  label: ["The node's label. `null` if none.", "Review"],
  state: [
    "`pending`: not reached yet. `active`: being worked on. `waiting`: one branch has arrived, and others are expected. " +
      "`done` and `failed`: ended. `skipped`: no branch leads to it any more. `cancelled`: ended with the run.",
  ],
  branch_taken: ["Label of the edge that was followed. `null` if it has none, or the stage has not ended.", null],
  outcome: [`How the stage ended: ${outcome}. \`null\` while it has not.`],
  assignee_user_id: userId("The person or agent who works on the stage. `null` if nobody in particular."),
  session_id: ["Id of the agent session that the stage follows. `null` if none.", null],
  approvals: ["The votes so far. Only stages for approval have any."],
  note_md: ["The note of whoever completed the stage, in Markdown. `null` if none.", null],
  output: ["What whoever completed the stage sent as its result. `null` if nothing.", null],
  actions_applied: [
    "What each action did on each issue: the first 49, and the newest. `null` if the node has none, or has not begun.",
    null,
  ],
  attempts: ["How often work on the stage has begun.", 1],
  due_at: ["When the stage times out, or is due. `null` if never.", null],
  activated_at: ["When the stage became active. `null` if it never was.", "2026-01-15T09:30:00.000Z"],
  ended_at: ["When the stage ended. `null` if it has not.", null],
  completed_by: userId("Who completed the stage. `null` if nobody did."),
  error: ["What went wrong. `null` if nothing did.", null],
} satisfies Record<string, About>;

export const aboutApproval = {
  by: userId("Who voted."),
  outcome: ["What the approver decided."],
  at: ["When they voted.", "2026-01-15T10:12:00.000Z"],
} satisfies Record<string, About>;

export const aboutApplied = {
  type: ["Which action the node carries out.", "set_status"],
  ok: ["Whether the action succeeded."],
  detail: ["What the action did, or why it failed. `null` if there is nothing to say.", null],
  issue_id: ["Id of the issue that the action changed. `null` if it was about no issue.", SAMPLE.issue],
} satisfies Record<string, About>;

export const aboutStart = {
  workflow_id: workflowId,
  context: ["Any JSON object of at most 16 KiB. Replies show it exactly as sent.", { ticket: "A-17" }],
  note_md: ["A note for those who work on the run, in Markdown.", "Please hurry."],
} satisfies Record<string, About>;

export const aboutStarted = {
  run_id: idOf("run"),
  run: ["The run, with the states of its nodes."],
} satisfies Record<string, About>;

export const aboutCancelled = {
  issue_key: issueKey,
  cancelled: ["Always `true`."],
  run_id: idOf("run that was cancelled"),
} satisfies Record<string, About>;

export const aboutComplete = {
  node_id: ["Id of the node to complete. Without it, all active stages that the caller may complete.", "review"],
  outcome: [
    "People and agents complete their stages with `success` or `failure`, approvers with `approved` or `rejected`. " +
      "Without it, `success` or `approved`.",
  ],
  note_md: ["A note about the result, in Markdown.", "Looks good."],
  output: [
    "Any JSON object of at most 16 KiB, and 128 KiB for all stages of a run. The run shows it exactly as sent.",
    { score: 5 },
  ],
} satisfies Record<string, About>;

export const aboutAdvance = {
  node_ids: [
    "Ids of the active stages to skip. Without it, all active stages. If one of them is not active any more, the reply is " +
      "409 `no_active_stage`, which names the active ones. With an empty list, the call only reopens a failed run.",
    ["review"],
  ],
} satisfies Record<string, About>;
